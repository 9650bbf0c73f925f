// Folds: everything that opens and closes within a chunk. What is closed is not in the document; it is parsed again
// when it is opened. An agent's thread comes to the call that started it while that is open.

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
 * Threads that are away, and what keeps their places.
 * @type {Map<Element, Comment>}
 */
const threadPlaces = new Map();

/**
 * What was chosen for all steps: to be open, or closed.
 * @type {boolean | null}
 */
let unfolded = null;

/** Whether steps are open by themselves. */
export const opensSteps = () => unfolded ?? view.level >= 3;

/** Steps are open by themselves as the detail says. */
export const foldByDetail = () => (unfolded = null);

/**
 * Whether a fold is open by itself.
 *
 * @param {Element} fold
 * @param {boolean} isWrittenOpen
 */
function opensByItself(fold, isWrittenOpen) {
  if (!fold.classList.contains("step")) return isWrittenOpen;
  return opensSteps() || (unfolded === null && isWrittenOpen);
}

/**
 * Opens and closes folds that were just parsed, and takes out what is closed.
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
 * Follows a fold that was opened or closed, by whatever.
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
 * Opens or closes all steps: those that are there, and those that will be.
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

/** From now on folds are as they are by themselves. */
export function forgetFolds() {
  for (const chunk of chunks) chunk.open.clear();
}

/**
 * Whether a thread is where it was called.
 *
 * @param {Element} thread
 */
export const isThreadAway = (thread) => threadPlaces.has(thread);

/**
 * Brings the threads that an open fold started.
 *
 * @param {HTMLElement} within
 */
function bringThreads(within) {
  for (const link of /** @type {HTMLAnchorElement[]} */ (all("a.thread-link", within))) {
    const fold = link.closest("details");
    const thread = document.getElementById(link.hash.slice(1));
    // A thread cannot be in itself, and only in one place.
    if (!fold?.open || !thread || isThreadAway(thread) || thread.contains(link)) continue;
    const place = document.createComment("");
    thread.before(place);
    threadPlaces.set(thread, place);
    (link.closest(".body") ?? fold).append(thread);
  }
}

/**
 * Sends the threads back that are within an element, before it goes.
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
  // Before it opens, or it would be seen empty first.
  document.addEventListener("click", (event) => {
    const fold = closest(event, "summary")?.parentElement;
    if (fold instanceof HTMLDetailsElement && !fold.open) putBack(fold);
  });
  const follow = (/** @type {Event} */ { target }) => {
    if (target instanceof HTMLDetailsElement) followFold(target);
  };
  document.addEventListener("toggle", follow, true);
}
