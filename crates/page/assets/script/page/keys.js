// Keys and buttons. The help of the page lists them (`src/document/toolbar.rs`).

import { all, closest, one } from "core/dom.js";
import { hasModifier, isInField } from "core/keys.js";
import { allButErrors } from "./address.js";
import { CONVERSATION_PIECES, chunkByElement, fill } from "./chunks.js";
import { copyLink, copyWords } from "./copy.js";
import { foldAll, openFold, opensSteps } from "./folds.js";
import { showNextTheme, showRail, toggleDiff } from "./looks.js";
import { say } from "./page.js";
import { loadPart, loaded } from "./parts.js";
import { current, firstOnScreen, goTo, hold, nextError, nextStep, nextTurn, setCurrent } from "./places.js";
import { togglePlayer } from "./player.js";
import { clearSearch, goToMatch, search, searchField } from "./search.js";
import { toggleTimes } from "./times.js";
import { LEVELS, choices, setHidden, setLevel, showsAnything } from "./view.js";

/** @import { Chunk } from "./chunks.js" */

/** @type {HTMLDialogElement | null} */
const help = one("dialog#help");

/**
 * The actions of the page's buttons and keys.
 * @type {Record<string, () => void>}
 */
const actions = {
  previous: () => goToMatch(-1),
  next: () => goToMatch(1),
  fold: () => foldAll(false),
  unfold: () => foldAll(true),
  rail: () => showRail(),
  help: () => help && !help.open && help.showModal(),
  "close-help": () => help?.close(),
  "filter-all": () => setHidden([]),
  "filter-none": () => setHidden(choices().map(({ key }) => key)),
  "filter-errors": () => setHidden(allButErrors()),
  times: () => toggleTimes(),
  diff: () => toggleDiff(),
  play: () => togglePlayer(),
};

/** @type {Record<string, () => void>} */
const keys = {
  j: () => walk(nextStep, 1),
  k: () => walk(nextStep, -1),
  J: () => walk(nextTurn, 1),
  K: () => walk(nextTurn, -1),
  e: () => walk(nextError, 1, "no failure after this"),
  E: () => walk(nextError, -1, "no failure before this"),
  o: () => toggleCurrent(),
  O: () => foldAll(!opensSteps()),
  c: () => copyLink(),
  y: () => copyWords(),
  d: () => toggleDiff(),
  p: () => togglePlayer(),
  n: () => goToMatch(1),
  N: () => goToMatch(-1),
  g: () => scrollTo({ top: 0, behavior: "instant" }),
  G: () => goToEnd(),
  t: () => showNextTheme(),
  "/": () => searchField?.focus(),
  "?": () => actions.help?.(),
  Escape: () => leave(),
};

/**
 * Adds an action.
 *
 * @param {string} name as buttons call it
 * @param {() => void} action
 * @param {string} [key]
 */
export function addAction(name, action, key) {
  actions[name] = action;
  if (key) keys[key] = action;
}

/**
 * Goes to the next place of a kind.
 *
 * @param {(direction: number) => HTMLElement | Chunk | null} next
 * @param {number} direction
 * @param {string} [otherwise] what to say if there is none
 */
export async function walk(next, direction, otherwise) {
  const element = await loaded(() => next(direction));
  if (element) goTo(element, { scroll: element.matches(".turn") ? "start" : "nearest" });
  else if (otherwise) say(otherwise);
}

/** Toggles the fold at the focus, or that of the current step. */
function toggleCurrent() {
  const focused = document.activeElement?.closest("#conversation details, .threads details");
  const fold = focused ?? (current ?? firstOnScreen())?.closest("details");
  if (!(fold instanceof HTMLDetailsElement)) return;
  if (!fold.open) return openFold(fold);
  // The focused element is about to be removed.
  if (fold.contains(document.activeElement)) goTo(fold, { scroll: "nearest" });
  fold.open = false;
}

async function goToEnd() {
  const pieces = () => all(CONVERSATION_PIECES).flatMap((element) => chunkByElement.get(element) ?? []);
  let last = pieces().findLast(showsAnything);
  while (last?.file && !last.isLost) {
    await loadPart(last.file);
    last = pieces().findLast(showsAnything);
  }
  if (!last) return;
  const { element } = last;
  fill(last);
  hold(() => element.scrollIntoView({ block: "end", behavior: "instant" }));
}

/** The menu of filters, if it is open. */
const openMenu = () => /** @type {HTMLDetailsElement | null} */ (one(".filters[open]"));

/** Closes whatever is open; otherwise clears the search. */
function leave() {
  const menu = openMenu();
  if (menu) menu.open = false;
  else if (one('[data-action="rail"][aria-expanded="true"]')) showRail(false);
  else if (search.query) clearSearch();
  else setCurrent(null);
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  // A dialog closes by itself.
  if (event.defaultPrevented || hasModifier(event) || isInField(event) || one("dialog[open]")) return;
  const { target, key } = event;
  const isOnStep = key === "Enter" && target instanceof Element && target.matches("details.step");
  const action = isOnStep ? toggleCurrent : Object.hasOwn(keys, key) && keys[key];
  if (!action) return;
  event.preventDefault();
  action();
}

/** @param {MouseEvent} event */
function clicked(event) {
  const name = closest(event, "[data-action]")?.dataset.action;
  if (name && Object.hasOwn(actions, name)) actions[name]?.();
  const menu = openMenu();
  if (menu && !(event.target instanceof Node && menu.contains(event.target))) menu.open = false;
}

export function setUpKeys() {
  LEVELS.forEach((_, level) => (keys[level + 1] = () => setLevel(level)));
  document.addEventListener("keydown", pressed);
  document.addEventListener("click", clicked);
  help?.addEventListener("click", (event) => {
    if (event.target === help) help.close();
  });
}
