// Code: coloured while it is near, with ranges instead of elements, and numbered where its lines have numbers.

/** What is longer is not coloured. */
const LONGEST_CODE = 200_000;

/** @type {Map<string, Highlight>} by the role of the words */
const colours = new Map();
/** What is coloured, and how to take the colours away. @type {Map<Element, [Highlight, StaticRange][]>} */
const coloured = new Map();
/** What is near and waits for its colours. */
const waiting = new Set();
let isColouring = false;

const codeNearness =
  highlights &&
  new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting && !coloured.has(target)) waiting.add(target);
        else if (!isIntersecting) {
          waiting.delete(target);
          bleach(target);
        }
      }
      colourSoon();
    },
    { rootMargin: "50% 0px" },
  );

function colourOf(role) {
  let colour = colours.get(role);
  if (!colour) {
    colour = new Highlight();
    // A find is seen above the colours.
    colour.priority = -1;
    colours.set(role, colour);
    highlights.set(`code-${role}`, colour);
  }
  return colour;
}

function colourSoon() {
  if (isColouring || !waiting.size) return;
  isColouring = true;
  whenIdle(
    (deadline) => {
      isColouring = false;
      for (const element of waiting) {
        waiting.delete(element);
        if (element.isConnected) colour(element);
        if (!deadline || deadline.timeRemaining() < 2) break;
      }
      colourSoon();
    },
    { timeout: 300 },
  );
}

function colour(element) {
  const spec = languageOf(element.dataset.language);
  const code = one("code", element) ?? element;
  if (!spec || code.textContent.length > LONGEST_CODE) return;
  const ranges = [];
  coloured.set(element, ranges);
  const paint = (range, role) => {
    const colour = colourOf(role);
    colour.add(range);
    ranges.push([colour, range]);
  };
  if (element.matches(".diff")) colourDiff(element, spec, paint);
  else colourBlock(code, spec, paint);
}

function bleach(element) {
  for (const [colour, range] of coloured.get(element) ?? []) colour.delete(range);
  coloured.delete(element);
}

function colourBlock(code, spec, paint) {
  // A parser cuts long texts wherever it likes.
  code.normalize();
  const node = code.firstChild;
  if (node?.nodeType !== Node.TEXT_NODE) return;
  const lexer = new Lexer(spec);
  const text = node.data;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    lexer.line(text, start, end, (from, to, role) => {
      if (from === to) return;
      paint(new StaticRange({ startContainer: node, startOffset: from, endContainer: node, endOffset: to }), role);
    });
    start = end + 1;
  }
}

/** The lines before a change and those after it are two texts. */
function colourDiff(diff, spec, paint) {
  let [before, after] = [new Lexer(spec), new Lexer(spec)];
  for (const line of all(`.gap, ${DIFF_LINES}`, diff)) {
    // Nobody knows what is between.
    if (line.matches(".gap")) [before, after] = [new Lexer(spec), new Lexer(spec)];
    const words = wordsOf(line);
    const text = line.textContent;
    // The words of the search have an edge before them.
    const offset = words.pieces[0]?.start ?? 0;
    const tell = (from, to, role) => from < to && paint(rangeOf(words, from + offset, to + offset), role);
    if (line.matches(".removed")) before.line(text, 0, text.length, tell);
    if (line.matches(".same")) before.line(text, 0, text.length, () => {});
    if (line.matches(".same, .added")) after.line(text, 0, text.length, tell);
  }
}

/** Writes the numbers of the lines beside them. */
function number(pre) {
  const first = Number(pre.dataset.line);
  const code = one("code", pre);
  if (!code || !Number.isFinite(first) || one(".gutter", pre)) return;
  const lines = code.textContent.replace(/\n$/, "").split("\n").length;
  const numbers = Array.from({ length: lines }, (_, line) => first + line).join("\n");
  pre.prepend(make("span", { class: "gutter", "aria-hidden": "true" }, numbers));
}

function setUpCode() {
  const COLOURED = "pre.code[data-language], .diff[data-language]";
  whenShown.push((within) => {
    for (const pre of all("pre.code[data-line]", within)) number(pre);
    if (!codeNearness) return;
    for (const element of all(COLOURED, within)) codeNearness.observe(element);
    // A diff that was opened further.
    const diff = within.parentElement?.closest(".diff[data-language]");
    if (diff) {
      bleach(diff);
      waiting.add(diff);
      colourSoon();
    }
  });
  whenGone.push((within) => {
    for (const element of codeNearness ? all(COLOURED, within) : []) {
      codeNearness.unobserve(element);
      waiting.delete(element);
      bleach(element);
    }
  });
}
