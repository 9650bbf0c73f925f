// Growth: the server notifies a page when its session continues. The page requests the changes and applies them step by
// step: the visible content does not move, and open folds stay open (follow.js keeps readers at the end).

import { all, make, one, parseMarkup, root } from "core/dom.js";
import { pause } from "core/pace.js";
import {
  addChunk,
  chunkByElement,
  chunks,
  empty,
  estimate,
  textOf,
  trimmedContent,
  unwatchChunk,
  watchChunk,
} from "./chunks.js";
import { noteNewSteps, setUpFollowing } from "./follow.js";
import { announceShown, facts, grows } from "./page.js";
import { forgetPart, retryLostParts } from "./parts.js";
import { fetchGrowth, fetchWindow, sessionId } from "./server.js";

/** @import { Growth, WindowFacts } from "./server.js" */

/** Changes within this interval are requested together, in milliseconds. */
const BETWEEN_LOOKS = 120;
/** Delay before a server that refuses is asked again, in milliseconds. */
const BEFORE_RETRY = 2000;

/**
 * The number of steps in the conversation.
 * @type {number | null}
 */
let stepCount = null;
let isLooking = false;
let looksAgain = false;
/**
 * The markup around the conversation, by selector.
 * @type {Map<string, string>}
 */
const lastMarkup = new Map();

/** Tells the board that this session is in view, so that it sends no notifications about it. */
const channel = grows && globalThis.BroadcastChannel ? new BroadcastChannel("recount") : null;

function sayReading() {
  if (document.visibilityState === "visible" && document.hasFocus()) channel?.postMessage({ reading: sessionId });
}

export function setUpGrowth() {
  if (!grows) return;
  setUpFollowing();
  listen(facts.event ?? "");
  setInterval(sayReading, 2000);
  sayReading();
  look();
}

/**
 * Listens for events of the session. The browser reconnects by itself, with the last event that it received.
 *
 * @param {string} event
 */
function listen(event) {
  // Browsers limit connections per host. A hidden page has none, and updates when it becomes visible.
  if (document.visibilityState === "hidden") {
    document.addEventListener("visibilitychange", () => listen(event), { once: true });
    return;
  }
  const source = new EventSource(`/events?session=${encodeURIComponent(sessionId)}&after=${encodeURIComponent(event)}`);
  let last = event;
  const leave = () => {
    if (document.visibilityState !== "hidden") return;
    document.removeEventListener("visibilitychange", leave);
    source.close();
    listen(last);
  };
  document.addEventListener("visibilitychange", leave);
  source.addEventListener("open", () => (root.dataset.live = ""));
  // After a reset the server has restarted, or events were missed: everything is requested.
  for (const name of ["session", "reset"]) {
    source.addEventListener(name, ({ lastEventId }) => {
      last = lastEventId;
      look();
    });
  }
  source.addEventListener("error", () => {
    delete root.dataset.live;
    if (source.readyState !== EventSource.CLOSED) return;
    document.removeEventListener("visibilitychange", leave);
    setTimeout(listen, BEFORE_RETRY, "");
  });
}

async function look() {
  if (isLooking) {
    looksAgain = true;
    return;
  }
  isLooking = true;
  do {
    looksAgain = false;
    const growth = await fetchGrowth();
    if (growth) await grow(growth);
    await pause(BETWEEN_LOOKS);
  } while (looksAgain);
  isLooking = false;
}

/** @param {Growth} growth */
async function grow({ windows, threads, turns, rail, head, title }) {
  facts.turns = turns;
  for (const [name, opening] of threads) if (!document.getElementById(name)) addThread(opening);
  const places = new Map(all("[data-window], .part").map((element) => [nameOf(element), element]));
  /** @type {HTMLElement | null} */
  let before = null;
  for (const window of windows) {
    const place = places.get(window.name);
    places.delete(window.name);
    if (!place) {
      before = addWindow(window, before);
      continue;
    }
    before = place;
    if (place.dataset.mark !== window.mark) await renewWindow(place, window);
  }
  for (const element of places.values()) removeWindow(element);
  // The server responds again.
  retryLostParts();
  renewAround(rail, head, title);
  const count = windows.reduce((sum, { within, count }) => sum + (within === "conversation" ? count : 0), 0);
  if (stepCount !== null && count > stepCount) noteNewSteps(count - stepCount);
  stepCount = count;
}

/** @param {HTMLElement} element */
const nameOf = (element) => element.dataset.window ?? element.dataset.part ?? "";

/** @param {string} opening */
function addThread(opening) {
  let threads = one("section.threads");
  if (!threads) {
    threads = make("section", { class: "threads", "aria-label": "Agents and branches" });
    one("#conversation")?.after(threads);
  }
  threads.append(parseMarkup(`${opening}</section>`));
}

/**
 * Adds the placeholder of a new window, after the previous one of its thread, or last.
 *
 * @param {WindowFacts} window
 * @param {HTMLElement | null} before
 */
function addWindow(window, before) {
  const { name, within } = window;
  const element = make("div", { class: "part", "data-part": name, "data-within": within, "data-chunks": "1" });
  describeWindow(element, window);
  const thread = document.getElementById(within);
  const previous = before?.parentElement === thread ? before : null;
  if (previous) previous.after(element);
  else thread?.append(element);
  const chunk = addChunk(element, make("noscript"), name);
  const previousChunk = previous && chunkByElement.get(previous);
  const at = previous ? (previousChunk ? chunks.indexOf(previousChunk) : -1) + 1 : chunks.length;
  chunks.splice(at, 0, chunk);
  forgetPart(name);
  estimate(chunk);
  watchChunk(chunk);
  return element;
}

/**
 * @param {HTMLElement} element
 * @param {WindowFacts} window
 */
function describeWindow(element, { mark, rows, turns }) {
  element.dataset.mark = mark;
  element.dataset.rows = String(rows);
  if (turns) element.dataset.turns = turns.join("-");
}

/** @param {HTMLElement} element */
function removeWindow(element) {
  const chunk = chunkByElement.get(element);
  if (chunk) {
    empty(chunk);
    unwatchChunk(chunk);
    chunks.splice(chunks.indexOf(chunk), 1);
  }
  forgetPart(nameOf(element));
  element.remove();
}

/**
 * @param {HTMLElement} element
 * @param {WindowFacts} window
 */
async function renewWindow(element, window) {
  const chunk = chunkByElement.get(element);
  if (!chunk || chunk.file) return describeWindow(element, window);
  const piece = await fetchWindow(window.name);
  // It may have been removed in the meantime.
  if (!piece || !element.isConnected) return;
  describeWindow(element, window);
  const old = markupById(textOf(chunk));
  chunk.source.textContent = piece.text;
  if (!chunk.isFilled) return estimate(chunk);
  const fresh = markupById(textOf(chunk));
  merge(chunk.element, trimmedContent(chunk), (id) => id !== "" && old.get(id) === fresh.get(id));
}

/**
 * The original markup of each step in a text.
 *
 * @param {string} text
 */
const markupById = (text) => new Map(all("[id]", parseMarkup(text)).map((step) => [step.id, step.outerHTML]));

/**
 * Replaces the children of an element by those of another, and keeps those that are equal.
 *
 * @param {Element} element
 * @param {ParentNode} content
 * @param {(id: string) => boolean} isSame
 */
function merge(element, content, isSame) {
  let place = element.firstElementChild;
  for (const next of /** @type {HTMLElement[]} */ ([...content.children])) {
    const old = counterpart(element, place, next);
    const isTurn = next.matches("section.turn");
    if (old && isTurn) {
      merge(old, next, isSame);
      copyAttributes(old, next);
    }
    const kept = old && (isTurn || isSame(next.id) || !next.id) ? old : prepared(next);
    if (kept !== place) element.insertBefore(kept, place);
    else place = place.nextElementSibling;
    if (old && old !== kept) {
      if (old === place) place = place.nextElementSibling;
      old.remove();
    }
  }
  while (place) {
    const next = place.nextElementSibling;
    place.remove();
    place = next;
  }
}

/**
 * The child of an element that another element replaces.
 *
 * @param {Element} element
 * @param {Element | null} place where the next child is expected
 * @param {HTMLElement} next
 */
function counterpart(element, place, next) {
  if (next.id) return [...element.children].find(({ id }) => id === next.id) ?? null;
  return place instanceof HTMLElement && isAlike(place, next) ? place : null;
}

/**
 * Whether two elements without ids correspond: a heading, a time, the rest of a turn.
 *
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 */
function isAlike(old, fresh) {
  const key = (/** @type {HTMLElement} */ { tagName, className, dataset }) =>
    [tagName, className, dataset.turn, dataset.level].join();
  const moment = (/** @type {HTMLElement} */ element) => one("time", element)?.dateTime;
  const isHeading = /^H\d$/.test(old.tagName);
  const isOther = old.id || key(old) !== key(fresh) || moment(old) !== moment(fresh);
  return !isOther && !(isHeading && old.textContent !== fresh.textContent);
}

/**
 * @param {Element} to
 * @param {Element} from
 */
function copyAttributes(to, from) {
  for (const { name, value } of [...from.attributes]) to.setAttribute(name, value);
}

/**
 * A new element, prepared for the rest of the script.
 *
 * @param {Element} element
 */
function prepared(element) {
  const around = make("div", {}, element);
  announceShown(around);
  return around.firstElementChild ?? element;
}

/**
 * Updates the outline and the head. The current turn stays marked in the outline.
 *
 * @param {string} rail
 * @param {string} head
 * @param {string} title
 */
function renewAround(rail, head, title) {
  document.title = `${title} · recount`;
  for (const [selector, markup] of /** @type {const} */ ([
    [".rail", rail],
    ["header.head", head],
  ])) {
    const old = one(selector);
    const before = lastMarkup.get(selector);
    if (!old || before === markup) continue;
    lastMarkup.set(selector, markup);
    // The page already contains the same.
    if (before === undefined) continue;
    const fresh = /** @type {HTMLElement | null} */ (parseMarkup(markup).firstElementChild);
    if (!fresh) continue;
    const scroll = old.scrollTop;
    announceShown(fresh);
    old.replaceChildren(...fresh.childNodes);
    old.scrollTop = scroll;
  }
}
