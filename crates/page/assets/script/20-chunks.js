// Chunks: pieces of the conversation that are in the document only while they are near the part that is seen.
//
// The text of a chunk stays in its <noscript>, which is one text for the browser, and is parsed when it is needed.
// What is closed is left out even then (25-folds.js), and so is what the detail and the filters hide (30-view.js).

/**
 * @typedef {object} Chunk
 * @property {HTMLElement} element
 * @property {Element} source the <noscript>; outside of the document while the chunk is filled
 * @property {boolean} isNear
 * @property {boolean} isFilled
 * @property {boolean} isTrimmed whether something was left out that other choices would show
 * @property {string} [file] what stands for chunks that are elsewhere has the name of their file, and no text
 * @property {boolean} [isLost] whether they could not be had
 * @property {Map<number, boolean>} open folds that are not as they would be by themselves, by their numbers
 */

/** So many chunks stay in the document, even if they are far. */
const MOST_CHUNKS = 12;
/** While everything is open, chunks are much larger. */
const MOST_OPEN_CHUNKS = 4;
/** Chunks are filled for so long at a time, in milliseconds. */
const LONGEST_WORK = 30;

/** @type {Chunk[]} in the order of the page as it was written */
const chunks = [];
/** @type {WeakMap<Element, Chunk>} */
const chunkByElement = new WeakMap();
/** Which of the folds of its chunk a fold is. */
const foldNumbers = new WeakMap();

const nearness =
  globalThis.IntersectionObserver &&
  new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) chunkByElement.get(target).isNear = isIntersecting;
      tendChunks();
    },
    { rootMargin: "200% 0px" },
  );

function findChunks() {
  for (const element of all(".chunk, .part")) {
    const { part: file } = element.dataset;
    let source = file ? null : one(":scope > noscript", element);
    const isFilled = !file && !source;
    if (!source) {
      source = document.createElement("noscript");
      if (!file) source.textContent = element.innerHTML;
    }
    const chunk = addChunk(element, source, file);
    chunks.push(chunk);
    // What is there already is replaced by itself, without what is closed.
    if (isFilled || !nearness) fill(chunk);
    else estimate(chunk);
  }
  measureRows();
  for (const chunk of chunks) nearness?.observe(chunk.element);
}

/** A chunk that is not filled, or what stands for a part. */
function addChunk(element, source, file) {
  const chunk = { element, source, file, isNear: false, isFilled: false, isTrimmed: false, open: new Map() };
  chunkByElement.set(element, chunk);
  return chunk;
}

/** The chunk that an element is in. */
const chunkOf = (element) => chunkByElement.get(element.closest(".chunk"));

const textOf = (chunk) => chunk.source.textContent;

/** Whether there is a tag with these attributes in a chunk. No text of a session has a `<`: it is escaped. */
function hasTag(chunk, attributes) {
  const text = textOf(chunk);
  return text.includes(attributes) && new RegExp(`<\\w+[^<>]* ${literal(attributes)}`).test(text);
}

/** A text as a regular expression that finds it. */
const literal = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** A fresh copy of everything in a chunk. */
function parse(chunk) {
  const template = document.createElement("template");
  template.innerHTML = textOf(chunk);
  const folds = all("details", template.content);
  folds.forEach((fold, number) => foldNumbers.set(fold, number));
  return { content: template.content, folds };
}

function fill(chunk) {
  if (chunk.isFilled || chunk.file) return;
  const { content, folds } = parse(chunk);
  chunk.isTrimmed = trim(content);
  settleFolds(chunk, folds, content);
  chunk.element.replaceChildren(content);
  chunk.element.style.minHeight = "";
  chunk.isFilled = true;
  for (const shown of whenShown) shown(chunk.element);
}

function empty(chunk) {
  if (!chunk.isFilled) return;
  for (const gone of whenGone) gone(chunk.element);
  chunk.element.replaceChildren(chunk.source);
  chunk.isFilled = false;
}

/** Makes chunks anew that are not as they should be. What is not seen can wait. */
function renewChunks(isStale) {
  const stays = ({ element, isFilled }) =>
    isFilled && (isOnScreen(element) || element.contains(document.activeElement));
  const staying = new Set(chunks.filter(stays));
  for (const chunk of chunks) {
    if (isStale(chunk)) empty(chunk);
    if (staying.has(chunk)) fill(chunk);
    if (!chunk.isFilled) estimate(chunk);
  }
  measureRows();
  // When the browser has seen what is near now.
  requestAnimationFrame(() => setTimeout(tendChunks, 50));
}

/** Gives an unfilled chunk about the height that it will have. */
function estimate(chunk) {
  if (chunk.isLost) return;
  chunk.element.style.minHeight = `calc(${Number(chunk.element.dataset.rows) || 1} * var(--row, 1.5rem))`;
}

/** Learns from the chunks that are there how high a row is. */
function measureRows() {
  let height = 0;
  let rows = 0;
  for (const chunk of chunks) {
    if (!chunk.isFilled) continue;
    height += chunk.element.offsetHeight;
    rows += Number(chunk.element.dataset.rows) || 1;
  }
  if (rows) root.style.setProperty("--row", `${Math.max(0.25, Math.min(60, height / rows))}px`);
}

/** Fills the chunks that are near, and empties those that are far if there are too many. */
function tendChunks() {
  const pause = performance.now() + LONGEST_WORK;
  for (const chunk of nearChunks()) {
    if (performance.now() > pause) return requestAnimationFrame(tendChunks);
    if (chunk.file) loadPart(chunk.file);
    else if (showsAnything(chunk)) keepingPlace(chunk, fill);
    // Whatever stands behind it has to come near.
    else chunk.element.style.minHeight = "0";
  }
  const most = opensSteps() ? MOST_OPEN_CHUNKS : MOST_CHUNKS;
  const filled = chunks.filter((chunk) => chunk.isFilled);
  if (filled.length <= most) return;
  const selection = getSelection();
  const isHeld = ({ element }) =>
    element.contains(document.activeElement) || (!selection.isCollapsed && selection.containsNode(element, true));
  // One after the other would be one layout after the other.
  const far = filled
    .filter((chunk) => !chunk.isNear && !isHeld(chunk))
    .map((chunk) => ({ chunk, box: chunk.element.getBoundingClientRect() }))
    .sort((a, b) => distance(b.box) - distance(a.box))
    .slice(0, filled.length - most);
  for (const { chunk, box } of far) {
    // It may have been within another one.
    if (!chunk.isFilled) continue;
    empty(chunk);
    if (box.height) chunk.element.style.minHeight = `${box.height}px`;
  }
}

/** The chunks that should be filled, nearest first. */
function nearChunks() {
  return chunks
    .filter((chunk) => chunk.isNear && !chunk.isFilled)
    .map((chunk) => ({ chunk, far: distance(chunk.element.getBoundingClientRect()) }))
    .sort((a, b) => a.far - b.far)
    .map(({ chunk }) => chunk);
}

/** How far something is from what is seen. */
const distance = (box) => Math.max(-box.bottom, box.top - innerHeight, 0);

/** Changes a chunk without moving what is seen, where the browser does not see to that by itself. */
function keepingPlace(chunk, change) {
  if (globalThis.CSS?.supports?.("overflow-anchor", "auto")) return change(chunk);
  const before = chunk.element.getBoundingClientRect();
  change(chunk);
  if (before.bottom < 0) scrollBy(0, chunk.element.offsetHeight - before.height);
}
