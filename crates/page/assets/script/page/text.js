// The searchable text of chunks and elements, without markup. Inline elements are removed, others end the line. Times
// and buttons are not text. Both functions give the same text, so that a match has the same number in both.

/** @typedef {{ node: Text, start: number }} TextPiece */

/**
 * The text of an element, and the sources of its pieces.
 * @typedef {{ text: string, pieces: TextPiece[] }} ElementText
 */

const INLINE = new Set("a abbr b code del em i ins kbd mark q s small span strong sub sup u var".split(" "));
const NO_TEXT = new Set(["time", "button", "svg"]);

/** Ends a line for `$` and `.`, and is not a space: words do not continue after it. */
const EDGE = "\n\0\n";

/**
 * The text of some markup, which is still escaped.
 *
 * @param {string} markup
 */
export function withoutTags(markup) {
  const tag = /<\/?(\w*)/y;
  let words = "";
  let at = 0;
  for (;;) {
    const open = markup.indexOf("<", at);
    if (open < 0) return words + markup.slice(at);
    words += markup.slice(at, open);
    tag.lastIndex = open;
    const [start = "", name = ""] = tag.exec(markup) ?? [];
    const end = NO_TEXT.has(name) && !start.startsWith("</") ? `</${name}>` : ">";
    at = markup.indexOf(end, open) + end.length;
    // The tag does not end.
    if (at < open) return words;
    if (!INLINE.has(name) && !NO_TEXT.has(name)) words += EDGE;
  }
}

/**
 * The text of an element, except for some of its descendants.
 *
 * @param {Node} element
 * @param {string} [skipped]
 * @returns {ElementText}
 */
export function elementText(element, skipped = ".thread") {
  /** @type {TextPiece[]} */
  const pieces = [];
  let text = "";
  const visit = (/** @type {Node} */ node) => {
    if (node instanceof Text) {
      pieces.push({ node, start: text.length });
      text += node.data;
      return;
    }
    const name = node.nodeName.toLowerCase();
    const inner = node instanceof Element ? node : null;
    if (NO_TEXT.has(name) || inner?.classList.contains("gutter")) return;
    if (node !== element && inner?.matches(skipped)) {
      text += EDGE;
      return;
    }
    const edge = INLINE.has(name) ? "" : EDGE;
    text += edge;
    for (const child of node.childNodes) visit(child);
    text += edge;
  };
  visit(element);
  return { text, pieces };
}

/**
 * The range in the document of a part of such a text; null if the text is empty.
 *
 * @param {ElementText} text
 * @param {number} start
 * @param {number} end
 */
export function rangeIn({ pieces }, start, end) {
  const first = pieceBefore(pieces, start + 1);
  const last = pieceBefore(pieces, end);
  if (!first || !last) return null;
  return new StaticRange({
    startContainer: first.node,
    startOffset: offsetIn(first, start),
    endContainer: last.node,
    endOffset: offsetIn(last, end),
  });
}

/**
 * The last piece that begins before an offset, or the first.
 *
 * @param {TextPiece[]} pieces
 * @param {number} offset
 */
function pieceBefore(pieces, offset) {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.start ?? 0) < offset) low = middle;
    else high = middle - 1;
  }
  return pieces[low];
}

/**
 * @param {TextPiece} piece
 * @param {number} offset
 */
const offsetIn = ({ node, start }, offset) => Math.max(0, Math.min(node.length, offset - start));
