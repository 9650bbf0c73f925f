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
 * The step or turn where the reader is, by a link, a key or a search.
 * @type {HTMLElement | null}
 */
export let current = null;

/** The name of the current place while it is not in the document. */
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
 * Whether an element takes any room.
 *
 * @param {Element} element
 */
export const isLaidOut = (element) => element.getClientRects().length > 0;

/** The first step that is seen at least in part. */
export function firstOnScreen() {
  for (const chunk of chunks) {
    if (!chunk.isNear || !chunk.isFilled || !isOnScreen(chunk.element)) continue;
    const found = all(".step", chunk.element).find(isOnScreen);
    if (found) return found;
  }
  return null;
}

/**
 * Marks the place where the reader is.
 *
 * @param {HTMLElement | null} element
 */
export function setCurrent(element) {
  current?.removeAttribute("data-current");
  current = element;
  current?.setAttribute("data-current", "");
}

/**
 * Puts something into the document, opens what it is in, and gives the element. `find` finds it in the contents of
 * the chunk; it needs a name, or to be within something with a name.
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
    // Whoever wants a step wants its line; what is in it stays as it is.
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
 * Opens the call that a thread hangs on, and so brings the thread there.
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
 * The element with a name, wherever it is; it is opened and shown if need be.
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
 * Goes to an element: scrolls there, marks it, and gives it the focus unless somebody is typing.
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
 * Scrolls somewhere and stays there while chunks around it are filled, unless the reader moves.
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
 * Goes to the element with a name; says whether there is one. What is in a part is gone to later; `then` is called
 * when it is.
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
  // The page that this is a part of may have it.
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
 * The step that says something, in the window where the server has it.
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
 * The next or previous element of a kind, from where the reader is. Chunks that are not there are filled if their
 * text says that they have one. It may be in a part that has to be loaded first: then it is its stand-in.
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
    // It had none after all; without this the search would not end.
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
  // What failed may be hidden; whoever asks for it wants to see it.
  showAlso("errors");
  return seek('.step[data-severity="error"]', direction, (chunk) => textOf(chunk).includes('data-severity="error"'));
}

export function setUpPlaces() {
  // What is gone to must not lie under the toolbar, which can be two lines high.
  const makeRoom = () => (root.style.scrollPaddingTop = `${barHeight() + 16}px`);
  if (pageToolbar && globalThis.ResizeObserver) new ResizeObserver(makeRoom).observe(pageToolbar);
  for (const event of ["wheel", "touchstart", "keydown", "pointerdown"]) {
    addEventListener(event, letGo, { passive: true, capture: true });
  }
  onGone((within) => {
    // Only the name is left of it.
    if (current && within !== current && within.contains(current)) lostName = current.id;
  });
  onShown((within) => {
    if (!lostName || current?.isConnected) return;
    const found = document.getElementById(lostName);
    if (found && within.contains(found)) setCurrent(found);
  });
}
