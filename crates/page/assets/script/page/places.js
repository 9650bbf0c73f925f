// Places: finding steps and turns that may not be in the document yet, and going there.

import { all, one, root } from "core/dom.js";
import { chunkByElement, chunkOf, chunks, fill, foldNumbers, hasTag, parseChunk, textOf } from "./chunks.js";
import { isThreadAway, openFold } from "./folds.js";
import { facts, grows, onGone, onShown, pageToolbar } from "./page.js";
import { chunkAt, findInParts, hasAwaitedParts, loadPart, pieceAt } from "./parts.js";
import { fetchPlace } from "./server.js";
import { setHidden, showsStep, unhide, view } from "./view.js";

/** @import { Chunk } from "./chunks.js" */

/**
 * The reader's current step or turn, by a link, a key or a search.
 * @type {HTMLElement | null}
 */
export let current = null;

/** The id of the current place while it is not in the document. */
let lostName = "";

export const barHeight = () => pageToolbar?.offsetHeight ?? 0;

/** @param {Element} element */
export function isOnScreen(element) {
  const box = element.getBoundingClientRect();
  return box.height > 0 && box.bottom > barHeight() && box.top < innerHeight;
}

/** @param {Element} element */
function isWhollyOnScreen(element) {
  const box = element.getBoundingClientRect();
  return box.height > 0 && box.top >= barHeight() && box.bottom <= innerHeight;
}

/**
 * Whether an element has a layout box.
 *
 * @param {Element} element
 */
export const isLaidOut = (element) => element.getClientRects().length > 0;

/** The first step that is at least partly visible. */
export function firstOnScreen() {
  for (const chunk of chunks) {
    if (!chunk.isNear || !chunk.isFilled || !isOnScreen(chunk.element)) continue;
    const found = all(".step", chunk.element).find(isOnScreen);
    if (found) return found;
  }
  return null;
}

/**
 * Marks the current place.
 *
 * @param {HTMLElement | null} element
 */
export function setCurrent(element) {
  current?.removeAttribute("data-current");
  current = element;
  current?.setAttribute("data-current", "");
}

/**
 * Puts an element into the document, opens the folds around it, and returns it. `find` finds it in the contents of the
 * chunk; it must have an id, or be within an element that has one.
 *
 * @param {Chunk} chunk
 * @param {(content: DocumentFragment) => Element | null} find
 * @param {Set<Element>} [seen]
 */
export function bringOut(chunk, find, seen = new Set()) {
  const thread = /** @type {HTMLElement | null} */ (chunk.element.closest(".thread"));
  if (thread) bringOutThread(thread, seen);
  const { content } = parseChunk(chunk);
  const target = find(content);
  if (!target) return null;
  const named = target.closest("[id]");
  const folds = [];
  for (let above = /** @type {Element | null} */ (target); above; above = above.parentElement) {
    if (above instanceof HTMLElement && above.dataset.level) unhide(above.dataset);
    // A step itself stays folded: only its line is wanted.
    if (!(above === target && above === named) && above.matches("details")) folds.unshift(foldNumbers.get(above));
  }
  fill(chunk);
  openNumbered(chunk, folds);
  return named && document.getElementById(named.id);
}

/**
 * Opens folds of a chunk, outer ones first.
 *
 * @param {Chunk} chunk
 * @param {(number | undefined)[]} numbers
 */
function openNumbered(chunk, numbers) {
  for (const number of numbers) {
    const isIt = (/** @type {Element} */ fold) => foldNumbers.get(fold) === number && chunkOf(fold) === chunk;
    const fold = all("details", chunk.element).find(isIt);
    if (fold && !fold.open) openFold(fold);
  }
}

/**
 * Opens the call that a thread hangs on, which moves the thread there.
 *
 * @param {HTMLElement} thread
 * @param {Set<Element>} [seen]
 */
function bringOutThread(thread, seen = new Set()) {
  unhide({ level: thread.dataset.level });
  if (thread.dataset.kind === "agent") showAlso("agents");
  if (isThreadAway(thread)) {
    for (const fold of foldsAround(thread)) openFold(fold);
    return;
  }
  // Threads can refer to each other.
  if (seen.has(thread)) return;
  seen.add(thread);
  const link = `class="thread-link" href="#${thread.id}"`;
  const chunk = chunks.find((chunk) => !thread.contains(chunk.element) && hasTag(chunk, link));
  if (chunk) bringOut(chunk, (content) => one(`a.thread-link[href="#${CSS.escape(thread.id)}"]`, content), seen);
}

/**
 * Turns a filter on, if it is off.
 *
 * @param {string} filter
 */
function showAlso(filter) {
  if (view.hidden.has(filter)) setHidden([...view.hidden].filter((key) => key !== filter));
}

/**
 * The folds that an element is in, outer ones first, and itself.
 *
 * @param {Element} element
 */
function foldsAround(element) {
  /** @type {HTMLDetailsElement[]} */
  const folds = [];
  for (let fold = element.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) {
    folds.unshift(fold);
  }
  return folds;
}

/**
 * The element with an id, wherever it is; it is opened and shown if necessary.
 *
 * @param {string} name
 */
function reveal(name) {
  const thread = document.getElementById(name);
  if (thread?.matches(".thread")) {
    bringOutThread(thread);
    return thread;
  }
  const chunk = chunkNaming(name);
  if (!chunk) return thread;
  return bringOut(chunk, (content) => content.getElementById(name));
}

/** @param {string} name */
function chunkNaming(name) {
  const known = turnNamed(name);
  const main = known && pieceAt(known[2]);
  const candidates = main ? [main, ...chunks] : chunks;
  return candidates.find((chunk) => hasTag(chunk, `id="${name}"`));
}

/** @param {string} name */
const turnNamed = (name) => facts.turns.find(([number]) => name === `turn-${number}`);

/**
 * Goes to an element: scrolls there, marks it, and focuses it unless the reader is typing.
 *
 * @param {HTMLElement} element
 * @param {{ focus?: boolean, scroll?: "start" | "nearest" }} [how]
 */
export function goTo(element, { focus = true, scroll = "start" } = {}) {
  setCurrent(element);
  if (focus) {
    if (!element.hasAttribute("tabindex")) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }
  if (scroll !== "start" && isWhollyOnScreen(element)) return;
  hold(() => element.scrollIntoView({ block: "start", behavior: "instant" }));
}

let holding = 0;

/**
 * Scrolls to a position and stays there while chunks around it are filled, unless the reader scrolls.
 *
 * @param {() => void} scroll
 */
export function hold(scroll) {
  const turn = ++holding;
  const until = performance.now() + 500;
  const again = () => {
    if (turn !== holding) return;
    scroll();
    if (performance.now() < until) requestAnimationFrame(again);
  };
  again();
}

const letGo = () => holding++;

/**
 * Goes to the element with an id; returns whether there is one. An element in a part is reached later, and `then` is
 * called after that.
 *
 * @param {string} name
 * @param {() => void} [then]
 */
export function goToName(name, then = () => {}) {
  const element = reveal(name);
  if (element) {
    goTo(element);
    then();
    return true;
  }
  if (hasAwaitedParts() || grows) {
    goToPart(name, then);
    return true;
  }
  // The page that this is a part of may contain it.
  if (facts.whole) location.assign(`${facts.whole}#${encodeURIComponent(name)}`);
  return Boolean(facts.whole);
}

/**
 * @param {string} name
 * @param {() => void} then
 */
async function goToPart(name, then) {
  const turn = ++holding;
  const known = turnNamed(name);
  if (known) await chunkAt(known[2]);
  const element = grows && !known ? await revealWindow(name) : await findInParts(() => reveal(name));
  // The reader may have gone elsewhere.
  if (!element || turn !== holding) return;
  goTo(element);
  then();
}

/**
 * The step that shows a line, in its window on the server.
 *
 * @param {string} name
 */
async function revealWindow(name) {
  const place = await fetchPlace(name);
  if (!place) return null;
  for (const window of place.windows) await loadPart(window);
  return reveal(place.anchor);
}

/**
 * The next or previous element of a kind, from the current place. Missing chunks are filled if their text contains such
 * an element. If it is in a part that has to be loaded first, the result is the placeholder.
 *
 * @param {string} selector
 * @param {number} direction
 * @param {(chunk: Chunk) => boolean} mayHave
 */
function seek(selector, direction, mayHave) {
  for (;;) {
    const list = all(`${selector}, .chunk, .part`);
    if (direction < 0) list.reverse();
    const start = current?.isConnected ? current : null;
    const isAhead = (/** @type {Element} */ element) => {
      if (!start) return direction < 0 || element.getBoundingClientRect().top >= barHeight() - 1;
      const order = start.compareDocumentPosition(element);
      return Boolean(order & (direction > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING));
    };
    const isWanted = (/** @type {Element} */ element) => {
      const chunk = chunkByElement.get(element);
      if (chunk && (chunk.isFilled || chunk.isLost || !(chunk.file || mayHave(chunk)))) return false;
      return isLaidOut(element) && isAhead(element);
    };
    const wanted = list.find(isWanted) ?? null;
    const chunk = wanted && chunkByElement.get(wanted);
    if (!chunk) return wanted;
    if (chunk.file) return chunk;
    fill(chunk);
    // The text matched, but the content did not; without this the search would not end.
    if (!chunk.isFilled) return null;
  }
}

/** @param {number} direction */
export const nextStep = (direction) => seek(".step", direction, showsStep);

/** @param {number} direction */
export const nextTurn = (direction) =>
  seek(".turn[id]", direction, (chunk) => textOf(chunk).includes('<section class="turn" id='));

/** @param {number} direction */
export function nextError(direction) {
  // Failures may be hidden; going to one shows them.
  showAlso("errors");
  return seek('.step[data-severity="error"]', direction, (chunk) => textOf(chunk).includes('data-severity="error"'));
}

export function setUpPlaces() {
  // The toolbar, which can be two lines high, must not cover the target.
  const makeRoom = () => (root.style.scrollPaddingTop = `${barHeight() + 16}px`);
  if (pageToolbar && globalThis.ResizeObserver) new ResizeObserver(makeRoom).observe(pageToolbar);
  for (const event of ["wheel", "touchstart", "keydown", "pointerdown"]) {
    addEventListener(event, letGo, { passive: true, capture: true });
  }
  onGone((within) => {
    // Only its id is left.
    if (current && within !== current && within.contains(current)) lostName = current.id;
  });
  onShown((within) => {
    if (!lostName || current?.isConnected) return;
    const found = document.getElementById(lostName);
    if (found && within.contains(found)) setCurrent(found);
  });
}
