// Chunks: pieces of the conversation that are in the document only while they are near the viewport.
//
// The text of a chunk stays in its <noscript>, which is a single text node for the browser, and is parsed when needed.
// Closed folds (folds.js) and content hidden by the detail level and the filters (view.js) are left out even then.

import { all, one, parseMarkup, root } from "core/dom.js";
import { opensSteps, settleFolds } from "./folds.js";
import { announceGone, announceShown } from "./page.js";
import { loadPart } from "./parts.js";
import { isOnScreen } from "./places.js";
import { showsAnything, trim } from "./view.js";

/**
 * @typedef {object} Chunk
 * @property {HTMLElement} element
 * @property {Element} source the <noscript>; outside of the document while the chunk is filled
 * @property {boolean} isNear
 * @property {boolean} isFilled
 * @property {boolean} isTrimmed whether content was left out that other settings would show
 * @property {string | undefined} file a placeholder for chunks in another file has the name of that file, and no text
 * @property {boolean} isLost whether they could not be loaded
 * @property {Map<number, boolean>} open folds that differ from their default state, by number
 */

/** Number of chunks that stay in the document even if they are far away. */
const MOST_CHUNKS = 12;
/** The same while everything is open, since chunks are then much larger. */
const MOST_OPEN_CHUNKS = 4;
/** Maximum time for filling chunks in one go, in milliseconds. */
const LONGEST_WORK = 30;

/** The chunks and placeholders of the conversation itself. */
export const CONVERSATION_PIECES = "#conversation > .chunk, #conversation > .part";

/**
 * In the order of the page.
 * @type {Chunk[]}
 */
export const chunks = [];

/** @type {WeakMap<Element, Chunk>} */
export const chunkByElement = new WeakMap();

/**
 * The number of each fold within its chunk.
 * @type {WeakMap<Element, number>}
 */
export const foldNumbers = new WeakMap();

const nearness = globalThis.IntersectionObserver
  ? new IntersectionObserver(noteNearness, { rootMargin: "200% 0px" })
  : null;

/** @param {IntersectionObserverEntry[]} entries */
function noteNearness(entries) {
  for (const { target, isIntersecting } of entries) {
    const chunk = chunkByElement.get(target);
    if (chunk) chunk.isNear = isIntersecting;
  }
  tendChunks();
}

export function findChunks() {
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
    // Content that is already there is replaced by itself without closed folds.
    if (isFilled || !nearness) fill(chunk);
    else estimate(chunk);
  }
  measureRows();
  for (const chunk of chunks) nearness?.observe(chunk.element);
}

/**
 * A chunk that is not filled, or a placeholder for a part.
 *
 * @param {HTMLElement} element
 * @param {Element} source
 * @param {string} [file]
 * @returns {Chunk}
 */
export function addChunk(element, source, file) {
  const state = { isNear: false, isFilled: false, isTrimmed: false, isLost: false };
  const chunk = { element, source, file, ...state, open: new Map() };
  chunkByElement.set(element, chunk);
  return chunk;
}

/**
 * Has a chunk filled, or a part loaded, when it comes near; at once if the browser cannot observe that.
 *
 * @param {Chunk} chunk
 */
export function watchChunk(chunk) {
  if (nearness) nearness.observe(chunk.element);
  else if (chunk.file) loadPart(chunk.file);
  else fill(chunk);
}

/** @param {Chunk} chunk */
export const unwatchChunk = (chunk) => nearness?.unobserve(chunk.element);

/**
 * The chunk that an element is in.
 *
 * @param {Element} element
 */
export function chunkOf(element) {
  const around = element.closest(".chunk");
  return around ? chunkByElement.get(around) : undefined;
}

/** @param {Chunk} chunk */
export const textOf = (chunk) => chunk.source.textContent ?? "";

/**
 * Whether a chunk contains a tag with these attributes. Text of a session contains no `<`: it is escaped.
 *
 * @param {Chunk} chunk
 * @param {string} attributes
 */
export function hasTag(chunk, attributes) {
  const text = textOf(chunk);
  return text.includes(attributes) && new RegExp(`<\\w+[^<>]* ${literal(attributes)}`).test(text);
}

/**
 * A text as a regular expression that matches it.
 *
 * @param {string} text
 */
export const literal = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/**
 * A fresh copy of everything in a chunk.
 *
 * @param {Chunk} chunk
 */
export function parseChunk(chunk) {
  const content = parseMarkup(textOf(chunk));
  const folds = all("details", content);
  folds.forEach((fold, number) => foldNumbers.set(fold, number));
  return { content, folds };
}

/** @param {Chunk} chunk */
export function fill(chunk) {
  if (chunk.isFilled || chunk.file) return;
  chunk.element.replaceChildren(trimmedContent(chunk));
  chunk.element.style.minHeight = "";
  chunk.isFilled = true;
  announceShown(chunk.element);
}

/**
 * The content of a chunk that belongs in the document.
 *
 * @param {Chunk} chunk
 */
export function trimmedContent(chunk) {
  const { content, folds } = parseChunk(chunk);
  chunk.isTrimmed = trim(content);
  settleFolds(chunk, folds, content);
  return content;
}

/** @param {Chunk} chunk */
export function empty(chunk) {
  if (!chunk.isFilled) return;
  announceGone(chunk.element);
  chunk.element.replaceChildren(chunk.source);
  chunk.isFilled = false;
}

/**
 * Fills outdated chunks again. Those that are not visible can wait.
 *
 * @param {(chunk: Chunk) => boolean} isStale
 */
export function renewChunks(isStale) {
  const staying = new Set(
    chunks.filter(({ element, isFilled }) => {
      return isFilled && (isOnScreen(element) || element.contains(document.activeElement));
    }),
  );
  for (const chunk of chunks) {
    if (isStale(chunk)) empty(chunk);
    if (staying.has(chunk)) fill(chunk);
    if (!chunk.isFilled) estimate(chunk);
  }
  measureRows();
  // After the browser has observed what is near now.
  requestAnimationFrame(() => setTimeout(tendChunks, 50));
}

/** @param {Chunk} chunk */
const rowsOf = ({ element }) => Number(element.dataset.rows) || 1;

/**
 * Gives an unfilled chunk its estimated height.
 *
 * @param {Chunk} chunk
 */
export function estimate(chunk) {
  if (chunk.isLost) return;
  chunk.element.style.minHeight = `calc(${rowsOf(chunk)} * var(--row, 1.5rem))`;
}

/** Measures the height of a row in the filled chunks. */
export function measureRows() {
  let height = 0;
  let rows = 0;
  for (const chunk of chunks) {
    if (!chunk.isFilled) continue;
    height += chunk.element.offsetHeight;
    rows += rowsOf(chunk);
  }
  if (rows) root.style.setProperty("--row", `${Math.max(0.25, Math.min(60, height / rows))}px`);
}

/** Fills the chunks that are near, and empties far ones if there are too many. */
export function tendChunks() {
  const until = performance.now() + LONGEST_WORK;
  for (const chunk of nearChunks()) {
    if (performance.now() > until) {
      requestAnimationFrame(tendChunks);
      return;
    }
    if (chunk.file) loadPart(chunk.file);
    else if (showsAnything(chunk)) keepingPlace(chunk, fill);
    // The content behind it has to come near.
    else chunk.element.style.minHeight = "0";
  }
  const most = opensSteps() ? MOST_OPEN_CHUNKS : MOST_CHUNKS;
  const filled = chunks.filter((chunk) => chunk.isFilled);
  if (filled.length <= most) return;
  // Measured together: one by one would cause one layout each.
  const far = filled
    .filter((chunk) => !chunk.isNear && !isHeld(chunk))
    .map((chunk) => ({ chunk, box: chunk.element.getBoundingClientRect() }))
    .sort((a, b) => distance(b.box) - distance(a.box))
    .slice(0, filled.length - most);
  for (const { chunk, box } of far) {
    // It may have been inside another one that was just emptied.
    if (!chunk.isFilled) continue;
    empty(chunk);
    if (box.height) chunk.element.style.minHeight = `${box.height}px`;
  }
}

/**
 * Whether the reader is in a chunk, with the focus or a selection.
 *
 * @param {Chunk} chunk
 */
function isHeld({ element }) {
  const selection = getSelection();
  const isSelected = selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
  return isSelected || element.contains(document.activeElement);
}

/** The chunks that should be filled, nearest first. */
function nearChunks() {
  return chunks
    .filter((chunk) => chunk.isNear && !chunk.isFilled)
    .map((chunk) => ({ chunk, far: distance(chunk.element.getBoundingClientRect()) }))
    .sort((a, b) => a.far - b.far)
    .map(({ chunk }) => chunk);
}

/**
 * The distance of a box from the viewport.
 *
 * @param {DOMRect} box
 */
const distance = (box) => Math.max(-box.bottom, box.top - innerHeight, 0);

/**
 * Changes a chunk without moving the visible content, where the browser does not anchor it by itself.
 *
 * @param {Chunk} chunk
 * @param {(chunk: Chunk) => void} change
 */
function keepingPlace(chunk, change) {
  if (globalThis.CSS?.supports?.("overflow-anchor", "auto")) return change(chunk);
  const before = chunk.element.getBoundingClientRect();
  change(chunk);
  if (before.bottom < 0) scrollBy(0, chunk.element.offsetHeight - before.height);
}
