// Folds: everything that opens and closes within a chunk. Closed content is not in the document; it is parsed again
// when it is opened. An agent's thread moves into the call that started it while that is open.

import { all, closest } from "core/dom.js";
import { chunkOf, chunks, foldNumbers, parseChunk, renewChunks } from "./chunks.js";
import { announceGone, announceShown, onGone, onShown, say } from "./page.js";
import { keepPlace, trim, view } from "./view.js";

/** @import { Chunk } from "./chunks.js" */

/**
 * Folds whose contents were left out.
 * @type {WeakSet<Element>}
 */
const emptied = new WeakSet();

/**
 * Whether a fold was open in the markup.
 * @type {WeakMap<Element, boolean>}
 */
const writtenOpen = new WeakMap();

/**
 * Threads that moved into a call, with the comments that mark their places.
 * @type {Map<Element, Comment>}
 */
const threadPlaces = new Map();

/**
 * The state chosen for all steps: open, closed, or none.
 * @type {boolean | null}
 */
let unfolded = null;

/** Whether steps are open by default. */
export const opensSteps = () => unfolded ?? view.level >= 3;

/** Lets the detail level decide whether steps are open. */
export const foldByDetail = () => (unfolded = null);

/**
 * Whether a fold is open by default.
 *
 * @param {Element} fold
 * @param {boolean} isWrittenOpen
 */
function opensByItself(fold, isWrittenOpen) {
  if (!fold.classList.contains("step")) return isWrittenOpen;
  return opensSteps() || (unfolded === null && isWrittenOpen);
}

/**
 * Sets the state of folds that were just parsed, and removes closed content.
 *
 * @param {Chunk} chunk
 * @param {HTMLDetailsElement[]} folds
 * @param {Node} within
 */
export function settleFolds(chunk, folds, within) {
  for (const fold of folds) {
    if (!within.contains(fold)) continue;
    writtenOpen.set(fold, fold.open);
    fold.open = chunk.open.get(numberOf(fold)) ?? opensByItself(fold, fold.open);
    if (!fold.open) takeOut(fold);
  }
}

/** @param {Element} fold */
const numberOf = (fold) => foldNumbers.get(fold) ?? -1;

/** @param {Node} fold */
const contentsOf = (fold) => [...fold.childNodes].filter((child) => child.nodeName !== "SUMMARY");

/** @param {HTMLDetailsElement} fold */
function takeOut(fold) {
  for (const child of contentsOf(fold)) child.remove();
  emptied.add(fold);
}

/** @param {HTMLDetailsElement} fold */
function putBack(fold) {
  const chunk = emptied.has(fold) && chunkOf(fold);
  if (!chunk) return;
  emptied.delete(fold);
  const { folds } = parseChunk(chunk);
  const whole = folds[numberOf(fold)];
  if (!whole) return;
  trim(whole);
  settleFolds(
    chunk,
    folds.filter((inner) => inner !== whole),
    whole,
  );
  fold.append(...contentsOf(whole));
  announceShown(fold);
}

/** @param {HTMLDetailsElement} fold */
export function openFold(fold) {
  putBack(fold);
  fold.open = true;
  bringThreads(fold);
}

/**
 * Handles a fold that was opened or closed in any way.
 *
 * @param {HTMLDetailsElement} fold
 */
function followFold(fold) {
  const chunk = foldNumbers.has(fold) && chunkOf(fold);
  if (!chunk) return;
  const isUsual = fold.open === opensByItself(fold, writtenOpen.get(fold) ?? false);
  if (isUsual) chunk.open.delete(numberOf(fold));
  else chunk.open.set(numberOf(fold), fold.open);
  if (fold.open) {
    openFold(fold);
  } else if (!emptied.has(fold)) {
    announceGone(fold);
    takeOut(fold);
  }
}

/**
 * Opens or closes all steps: those in the document, and later ones.
 *
 * @param {boolean} isOpen
 */
export function foldAll(isOpen) {
  keepPlace(() => {
    unfolded = isOpen;
    forgetFolds();
    renewChunks(() => true);
  });
  say(isOpen ? "everything is open" : "everything is closed");
}

/** Resets all folds to their default state. */
export function forgetFolds() {
  for (const chunk of chunks) chunk.open.clear();
}

/**
 * Whether a thread is inside the call that started it.
 *
 * @param {Element} thread
 */
export const isThreadAway = (thread) => threadPlaces.has(thread);

/**
 * Moves the threads that an open fold started into it.
 *
 * @param {HTMLElement} within
 */
function bringThreads(within) {
  for (const link of /** @type {HTMLAnchorElement[]} */ (all("a.thread-link", within))) {
    const fold = link.closest("details");
    const thread = document.getElementById(link.hash.slice(1));
    // A thread cannot contain itself, and can only be in one place.
    if (!fold?.open || !thread || isThreadAway(thread) || thread.contains(link)) continue;
    const place = document.createComment("");
    thread.before(place);
    threadPlaces.set(thread, place);
    (link.closest(".body") ?? fold).append(thread);
  }
}

/**
 * Moves the threads within an element back, before it is removed.
 *
 * @param {HTMLElement} within
 */
function returnThreads(within) {
  for (const thread of all(".thread", within)) {
    const place = threadPlaces.get(thread);
    if (!place || !within.contains(thread)) continue;
    threadPlaces.delete(thread);
    place.replaceWith(thread);
  }
}

export function setUpFolds() {
  onShown(bringThreads);
  onGone(returnThreads);
  // Before the fold opens, or it would be visible while still empty.
  document.addEventListener("click", (event) => {
    const fold = closest(event, "summary")?.parentElement;
    if (fold instanceof HTMLDetailsElement && !fold.open) putBack(fold);
  });
  const follow = (/** @type {Event} */ { target }) => {
    if (target instanceof HTMLDetailsElement) followFold(target);
  };
  document.addEventListener("toggle", follow, true);
}
