// Parts: chunks of a long session in files of their own. A part is loaded when it comes near, or when its content is
// needed: as a page in a frame, which only sends its chunks. That also works where a page may not read files, such as
// in a local folder. A page that grows asks its server instead (server.js).

import { all, make, one } from "core/dom.js";
import {
  CONVERSATION_PIECES,
  addChunk,
  chunkByElement,
  chunks,
  estimate,
  measureRows,
  unwatchChunk,
  watchChunk,
} from "./chunks.js";
import { facts, grows } from "./page.js";
import { fetchWindow } from "./server.js";

/** @import { Chunk } from "./chunks.js" */

/**
 * A chunk, as a part or a server sends it.
 *
 * @typedef {object} Piece
 * @property {string} within the id of the thread
 * @property {string | number | undefined} rows
 * @property {string | null | undefined} turns
 * @property {string} text
 */

/** Timeout for a part, in milliseconds. */
const LONGEST_WAIT = 30_000;
/** Timeout for the chunks of a part that has loaded, in milliseconds. */
const LONGEST_SILENCE = 3000;

/**
 * Parts that are loaded, or being loaded, by name.
 * @type {Map<string, Promise<void>>}
 */
const loads = new Map();

/** Whether this page is a part inside a frame of another page. */
export const isFramed = Boolean(facts.part) && parent !== window;

/** The placeholders of parts that can still be loaded. */
const awaitedParts = () => chunks.filter(({ file, isLost }) => file && !isLost);

export const hasAwaitedParts = () => awaitedParts().length > 0;

/**
 * Puts the chunks of a part in place. The promise never rejects.
 *
 * @param {string} name
 */
export function loadPart(name) {
  const load = loads.get(name) ?? fetchPart(name).then((pieces) => placePart(name, pieces));
  loads.set(name, load);
  return load;
}

/**
 * Has a part loaded again on the next request.
 *
 * @param {string} name
 */
export const forgetPart = (name) => loads.delete(name);

/**
 * The chunks of a part; none if it cannot be loaded.
 *
 * @param {string} name
 * @returns {Promise<Piece[]>}
 */
function fetchPart(name) {
  if (grows) return fetchWindow(name).then((piece) => (piece ? [piece] : []));
  return new Promise((resolve) => {
    const frame = make("iframe", { src: name, hidden: "", tabindex: "-1", "aria-hidden": "true" });
    /** @param {Piece[]} pieces */
    const finish = (pieces) => {
      removeEventListener("message", receive);
      clearTimeout(timer);
      frame.remove();
      resolve(pieces);
    };
    /** @param {MessageEvent} event */
    const receive = ({ source, data }) => {
      if (source === frame.contentWindow && Array.isArray(data?.recountPieces)) finish(data.recountPieces);
    };
    let timer = setTimeout(finish, LONGEST_WAIT, []);
    frame.addEventListener("load", () => {
      clearTimeout(timer);
      timer = setTimeout(finish, LONGEST_SILENCE, []);
    });
    addEventListener("message", receive);
    document.body.append(frame);
  });
}

/**
 * @param {string} name
 * @param {Piece[]} pieces
 */
function placePart(name, pieces) {
  for (const standIn of chunks.filter(({ file }) => file === name)) {
    const own = pieces.filter(({ within }) => within === standIn.element.dataset.within);
    if (own.length) replaceStandIn(standIn, own);
    else lose(standIn);
  }
  measureRows();
}

/**
 * @param {Chunk} standIn
 * @param {Piece[]} pieces
 */
function replaceStandIn(standIn, pieces) {
  const placed = pieces.map(({ rows, turns, text }) => {
    const source = make("noscript");
    source.textContent = text;
    const attributes = { class: "chunk", "data-rows": rows ?? "", ...(turns && { "data-turns": turns }) };
    const element = make("div", attributes, source);
    if (grows) Object.assign(element.dataset, { window: standIn.file, mark: standIn.element.dataset.mark });
    return addChunk(element, source);
  });
  unwatchChunk(standIn);
  chunks.splice(chunks.indexOf(standIn), 1, ...placed);
  placed.forEach(estimate);
  standIn.element.replaceWith(...placed.map(({ element }) => element));
  placed.forEach(watchChunk);
}

/**
 * Shows that a part could not be loaded; a link stays a link.
 *
 * @param {Chunk} standIn
 */
function lose(standIn) {
  standIn.isLost = true;
  if (grows) standIn.element.textContent = "This could not be loaded. Is recount serve still running?";
  standIn.element.style.minHeight = "";
}

/** Requests failed parts again when they come near. */
export function retryLostParts() {
  for (const standIn of chunks.filter(({ isLost }) => isLost)) {
    standIn.isLost = false;
    standIn.element.textContent = "";
    if (standIn.file) forgetPart(standIn.file);
    estimate(standIn);
    unwatchChunk(standIn);
    watchChunk(standIn);
  }
}

/**
 * The first result of `find`, now or after loading parts that are missing.
 *
 * @template T
 * @param {() => T | null} find
 */
export async function findInParts(find) {
  for (;;) {
    const found = find();
    if (found) return found;
    const [next] = awaitedParts();
    if (!next?.file) return null;
    await loadPart(next.file);
  }
}

/**
 * The result of `find` once it is not a placeholder: the part of a placeholder is loaded first.
 *
 * @param {() => HTMLElement | Chunk | null | undefined} find
 */
export async function loaded(find) {
  let found = find();
  while (found && !(found instanceof HTMLElement)) {
    if (found.file) await loadPart(found.file);
    found = find();
  }
  return found ?? null;
}

/**
 * The chunk or the placeholder at a position in the conversation, counted in chunks.
 *
 * @param {number} index
 */
export function pieceAt(index) {
  let left = index;
  for (const element of all(CONVERSATION_PIECES)) {
    const length = Number(element.dataset.chunks ?? 1);
    if (left < length) return chunkByElement.get(element) ?? null;
    left -= length;
  }
  return null;
}

/**
 * The chunk at a position in the conversation, once it is loaded.
 *
 * @param {number} index
 */
export async function chunkAt(index) {
  let piece = pieceAt(index);
  if (piece?.file) {
    await loadPart(piece.file);
    piece = pieceAt(index);
  }
  return piece?.file ? null : piece;
}

/** Sends the chunks of this part to the page around it. */
export function handOver() {
  const pieces = all(".chunk").map((element) => ({
    within: /** @type {HTMLElement | null} */ (element.closest("[data-within]"))?.dataset.within ?? "conversation",
    rows: element.dataset.rows,
    turns: element.dataset.turns,
    text: one(":scope > noscript", element)?.textContent ?? element.innerHTML,
  }));
  // Other sites must not receive them. Files have no origin that could be named.
  parent.postMessage({ recountPieces: pieces }, location.protocol === "file:" ? "*" : location.origin);
}
