// Search, in everything that the page has: what is far away or closed is searched in the texts of the chunks.
//
// A text is searched without its markup: elements within a line are taken out, others end the line. Times and buttons
// are no text. The same is done with what is in the document, so that a find has the same number in both.

const INLINE = new Set("a abbr b code del em i ins kbd mark q s small span strong sub sup u var".split(" "));
const NO_TEXT = new Set(["time", "button", "svg"]);
/** The last of them could make another of what it becomes. */
const ENTITIES = [["&lt;", "<"], ["&gt;", ">"], ["&quot;", '"'], ["&#39;", "'"], ["&amp;", "&"]];
/** Steps within steps are searched on their own. */
const OWNERS = ".step[id], .turn, .thread, .chunk";

/** Ends a line for `$` and `.`, and is no blank: words do not go on behind it. */
const EDGE = "\n\0\n";

/** No more finds than these are marked at a time. */
const MOST_MARKS = 4000;
/** So long may a piece of work take, in milliseconds. */
const SLICE = 10;
/** So often is it said how many were found so far, in milliseconds. */
const NEWS = 300;

const search = {
  query: "",
  isRegex: false,
  /** @type {RegExp|null} */
  pattern: null,
  /** The longest word of what is looked for, which is found faster. @type {RegExp|null} */
  hint: null,
  /** Chunks with finds, and how many there are before them. @type {{chunk: Chunk, before: number, count: number}[]} */
  found: [],
  total: 0,
  /** Which find the reader is at. */
  at: -1,
  isDone: true,
  run: 0,
};

const searchField = one('[name="search"]');
const searchOutput = one(".found");
const highlights = globalThis.Highlight && globalThis.CSS?.highlights;
const marks = highlights && { all: new Highlight(), current: new Highlight() };

/** A text without its tags; what is escaped stays so. */
function withoutTags(text) {
  const tag = /<\/?(\w*)/y;
  let words = "";
  let at = 0;
  for (;;) {
    const open = text.indexOf("<", at);
    if (open < 0) return words + text.slice(at);
    words += text.slice(at, open);
    tag.lastIndex = open;
    const [start, name] = tag.exec(text);
    const end = NO_TEXT.has(name) && !start.startsWith("</") ? `</${name}>` : ">";
    at = text.indexOf(end, open) + end.length;
    // It does not end.
    if (at < open) return words;
    if (!INLINE.has(name) && !NO_TEXT.has(name)) words += EDGE;
  }
}

function unescaped(words) {
  if (!words.includes("&")) return words;
  return ENTITIES.reduce((text, [entity, letter]) => text.replaceAll(entity, letter), words);
}

/** How often something is found in a chunk. */
function countFinds(chunk, { pattern, hint }) {
  const words = withoutTags(textOf(chunk));
  if (hint && !hint.test(words)) return 0;
  let count = 0;
  for (const _ of findsIn(unescaped(words), pattern)) count++;
  return count;
}

/** The words within an element and where they come from, without some elements. */
function wordsOf(element, skipped = ".thread") {
  const pieces = [];
  let text = "";
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      pieces.push({ node, start: text.length });
      text += node.data;
      return;
    }
    const name = node.nodeName.toLowerCase();
    if (NO_TEXT.has(name) || node.classList?.contains("gutter")) return;
    if (node !== element && node.matches?.(skipped)) {
      text += EDGE;
      return;
    }
    const isInline = INLINE.has(name);
    if (!isInline) text += EDGE;
    for (const child of node.childNodes) visit(child);
    if (!isInline) text += EDGE;
  };
  visit(element);
  return { text, pieces };
}

/** Where in the document something in such words is. */
function rangeOf({ pieces }, start, end) {
  const place = (offset, isEnd) => {
    let low = 0;
    let high = pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (pieces[middle].start < offset + (isEnd ? 0 : 1)) low = middle;
      else high = middle - 1;
    }
    const { node, start } = pieces[low];
    return [node, Math.max(0, Math.min(node.length, offset - start))];
  };
  const [startContainer, startOffset] = place(start, false);
  const [endContainer, endOffset] = place(end, true);
  return new StaticRange({ startContainer, startOffset, endContainer, endOffset });
}

/** All finds in a text. An empty one is none. */
function* findsIn(text, pattern) {
  for (const find of text.matchAll(pattern)) {
    if (find[0].length) yield { start: find.index, end: find.index + find[0].length };
  }
}

/** What to look for. Capital letters in it are meant. */
function patternOf(query, isRegex) {
  const source = isRegex
    ? query
    : literal(query.trim()).replace(/\s+/g, "\\s+");
  const letters = isRegex ? query.replace(/\\./gs, "") : query;
  const flags = letters === letters.toLowerCase() ? "gim" : "gm";
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}

/** What has to be in a text in which this is found, in ASCII: nothing of it is ever escaped. */
function hintOf(query) {
  const words = query.match(/\w{2,}/g) ?? [];
  const longest = words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
  return longest ? new RegExp(longest, "i") : null;
}

/** Looks for something else. */
function setSearch(query, isRegex) {
  if (searchField && searchField.value !== query) searchField.value = query;
  const box = one('[name="regex"]');
  if (box) box.checked = isRegex;
  if (query === search.query && isRegex === search.isRegex) return;
  const isNarrower = !isRegex && !search.isRegex && search.isDone && search.query && isWithin(search.query, query);
  const candidates = isNarrower ? search.found.map(({ chunk }) => chunk) : chunks;
  Object.assign(search, { query, isRegex, pattern: null, hint: null, found: [], total: 0, at: -1, isDone: true });
  search.run++;
  noteAddress();
  marks?.current.clear();
  try {
    if (query.trim()) search.pattern = patternOf(query, isRegex);
    if (!isRegex) search.hint = hintOf(query);
  } catch {
    tellFound("not a regular expression");
    return paintMarks();
  }
  paintMarks();
  if (search.pattern) searchChunks(candidates);
  else tellFound("");
}

/** Whether whatever has the one query also has the other. */
const isWithin = (before, after) => after.startsWith(before) && before === before.toLowerCase();

/** Counts the finds, chunk by chunk. */
async function searchChunks(candidates) {
  const { run, pattern, hint } = search;
  search.isDone = false;
  let pause = performance.now() + SLICE;
  let news = performance.now() + NEWS;
  // Chunks of a part come in place of what stood for it, while this goes on.
  for (let index = 0; index < candidates.length; index++) {
    while (candidates[index].file && !candidates[index].isLost) {
      tellFound();
      await loadPart(candidates[index].file);
      if (run !== search.run) return;
    }
    const chunk = candidates[index];
    const count = countFinds(chunk, { pattern, hint });
    if (count) {
      search.found.push({ chunk, before: search.total, count });
      search.total += count;
    }
    if (performance.now() > pause) {
      if (performance.now() > news) {
        tellFound();
        news = performance.now() + NEWS;
      }
      await breathe();
      if (run !== search.run) return;
      pause = performance.now() + SLICE;
    }
  }
  search.isDone = true;
  tellFound();
}

const grouped = new Intl.NumberFormat("en");

function tellFound(words) {
  if (!searchOutput) return;
  const { at, total, isDone } = search;
  const count = `${grouped.format(total)}${isDone ? "" : "…"}`;
  const amount = total || !isDone ? `${count} found` : "nothing found";
  const said = words ?? (at >= 0 ? `${grouped.format(at + 1)} of ${count}` : amount);
  if (searchOutput.textContent !== said) searchOutput.textContent = said;
}

/** Goes to the next find or the previous one, from where the reader is. */
function goToFind(direction, focus = true) {
  if (!search.total) return;
  const first = search.at < 0 ? firstFindHere(direction) : search.at + direction;
  search.at = (first + search.total) % search.total;
  const found = search.found.findLast(({ before }) => before <= search.at);
  showFind(found.chunk, search.at - found.before, focus);
  tellFound();
}

/** The first find in the chunk that is seen, or behind it. */
function firstFindHere(direction) {
  const here = firstOnScreen();
  const from = here ? chunks.indexOf(chunkOf(here)) : 0;
  const next = search.found.findIndex(({ chunk }) => chunks.indexOf(chunk) >= from);
  if (direction > 0) return next < 0 ? 0 : search.found[next].before;
  return (next < 0 ? search.total : search.found[next].before) - 1;
}

/** Opens what a find is in, and goes there. */
function showFind(chunk, number, focus) {
  // The same find in a fresh copy of the chunk tells which step it is in, and which find of that step it is.
  let inOwner = 0;
  let owner = null;
  let target = null;
  const live = bringOut(chunk, (content) => {
    const words = wordsOf(content);
    const ranges = [...findsIn(words.text, search.pattern)].map(({ start, end }) => rangeOf(words, start, end));
    const range = ranges[Math.min(number, ranges.length - 1)];
    if (!range) return null;
    const ownerOf = (range) => range.startContainer.parentElement?.closest(OWNERS) ?? null;
    target = range.startContainer.parentElement;
    owner = ownerOf(range);
    inOwner = ranges.slice(0, ranges.indexOf(range)).filter((other) => ownerOf(other) === owner).length;
    return target;
  });
  if (!target) return;
  const element = (owner?.id && document.getElementById(owner.id)) || live || chunk.element;
  const words = wordsOf(element, OWNERS);
  const finds = [...findsIn(words.text, search.pattern)];
  const find = finds[Math.min(inOwner, finds.length - 1)];
  goTo(element, { focus, scroll: "nearest" });
  if (!find) return;
  const range = rangeOf(words, find.start, find.end);
  marks?.current.clear();
  marks?.current.add(range);
  hold(() => scrollToRange(range));
}

function scrollToRange({ startContainer, startOffset, endContainer, endOffset }) {
  if (!startContainer.isConnected) return;
  const range = document.createRange();
  range.setStart(startContainer, startOffset);
  range.setEnd(endContainer, endOffset);
  const box = range.getBoundingClientRect();
  if (!box.height) return;
  // What scrolls by itself, such as long lines of code.
  const scroller = startContainer.parentElement.closest("pre, .diff, table");
  if (scroller) {
    const frame = scroller.getBoundingClientRect();
    const isAside = box.left < frame.left || box.right > frame.right;
    if (isAside) scroller.scrollLeft += box.left - frame.left - frame.width / 3;
    const isBeyond = box.top < frame.top || box.bottom > frame.bottom;
    if (isBeyond) scroller.scrollTop += box.top - frame.top - frame.height / 3;
  }
  const seen = range.getBoundingClientRect();
  const isSeen = seen.top >= barHeight() && seen.bottom <= innerHeight;
  if (!isSeen) scrollBy({ top: seen.top - innerHeight / 3, behavior: "instant" });
}

/** Marks the finds that are in the document. */
const paintMarks = eachFrame(() => {
  if (!marks) return;
  marks.all.clear();
  if (!search.pattern) return;
  let room = MOST_MARKS;
  for (const { element, isFilled } of chunks) {
    if (!isFilled || !isSeen(element)) continue;
    const words = wordsOf(element);
    for (const { start, end } of findsIn(words.text, search.pattern)) {
      if (room-- <= 0) return;
      marks.all.add(rangeOf(words, start, end));
    }
  }
});

function clearSearch() {
  setSearch("", search.isRegex);
}

function setUpSearch() {
  if (marks) {
    marks.current.priority = 1;
    highlights.set("search", marks.all);
    highlights.set("search-current", marks.current);
    const repaint = () => search.pattern && paintMarks();
    whenShown.push(repaint);
    whenGone.push(repaint);
  }
  if (!searchField) return;
  const isRegex = () => Boolean(one('[name="regex"]')?.checked);
  let timer = 0;
  searchField.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => setSearch(searchField.value, isRegex()), 120);
  });
  one('[name="regex"]')?.addEventListener("change", () => setSearch(searchField.value, isRegex()));
  searchField.addEventListener("keydown", async (event) => {
    if (event.key === "Escape") {
      clearTimeout(timer);
      clearSearch();
      searchField.blur();
      event.preventDefault();
    }
    if (event.key !== "Enter") return;
    event.preventDefault();
    clearTimeout(timer);
    setSearch(searchField.value, isRegex());
    const { run } = search;
    // The first find may not have been found yet.
    while (!search.total && !search.isDone && run === search.run) await breathe();
    if (run === search.run) goToFind(event.shiftKey ? -1 : 1, false);
  });
}
