// Cards: arranged in their lists, replaced when they change, and completed with the input of open calls.

import { askText } from "core/ask.js";
import { all, need, one, parseMarkup } from "core/dom.js";
import { runClocks } from "./clock.js";
import { filterCards, groupCards } from "./filter.js";
import { cardOf, lists, sessionOf, shownCards } from "./lists.js";
import { addBars, drawSoon, forgetBars } from "./timeline.js";
import { notifyOfAlerts, notifyOfWaits, showCount } from "./waits.js";

/** @import { Bar } from "./timeline.js" */

/**
 * The changes of the board.
 *
 * @typedef {object} BoardChange
 * @property {{ id: string, html: string, bars: Bar[] }[]} changed
 * @property {string[]} gone
 * @property {string[] | null} order of all sessions, if it changed
 * @property {string} totals
 * @property {string} notes
 * @property {number} needs_you
 */

/** The sessions of the board, in their order. */
let order = all(".card").map(sessionOf);

/** Reads the order of the sessions from the page. */
export function readOrder() {
  order = all(".card").map(sessionOf);
}

/** Puts cards in place without touching those that already are: the focus stays. */
export function arrange() {
  for (const [part, list] of Object.entries(lists)) {
    let place = list.firstElementChild;
    for (const id of order) {
      const card = cardOf(id);
      if (!card || card.dataset.part !== part) continue;
      if (card === place) place = place.nextElementSibling;
      else list.insertBefore(card, place);
    }
  }
  groupCards();
  shownCards(lists.needs).forEach((card, at) => (card.dataset.number = at < 9 ? String(at + 1) : ""));
  for (const [part, list] of Object.entries(lists)) {
    const count = one(`#${part}-count`);
    if (count) count.textContent = String(all(".card", list).length);
  }
}

/** @param {BoardChange} change */
export function applyChange(change) {
  for (const { id, html, bars } of change.changed) {
    replaceCard(id, html);
    addBars(id, bars);
  }
  for (const id of change.gone) {
    cardOf(id)?.remove();
    forgetBars(id);
  }
  if (change.order) ({ order } = change);
  arrange();
  need("#totals").innerHTML = change.totals;
  need("#notes").innerHTML = change.notes;
  showCount(change.needs_you);
  filterCards();
  runClocks();
  drawSoon();
  for (const { id } of change.changed) notifyOfAlerts(cardOf(id));
  notifyOfWaits();
}

/**
 * @param {string} id
 * @param {string} html
 */
function replaceCard(id, html) {
  const card = /** @type {HTMLElement | null} */ (parseMarkup(html).firstElementChild);
  if (!card) return;
  const old = cardOf(id);
  if (old) {
    const isFocused = old.contains(document.activeElement);
    card.hidden = old.hidden;
    old.replaceWith(card);
    if (isFocused) one("a", card)?.focus({ preventScroll: true });
  } else {
    lists[/** @type {keyof typeof lists} */ (card.dataset.part)]?.append(card);
  }
  showAsked(card);
}

// ── the input of open calls ──

/**
 * The full input of calls, by session and call: the diff, the options, the plan.
 * @type {Map<string, string>}
 */
const asked = new Map();

/** @param {HTMLElement} card */
export async function showAsked(card) {
  const { session, call } = card.dataset;
  if (!session || !call || !one(".asked", card)) return;
  const key = `${session} ${call}`;
  const address = `/session/${encodeURIComponent(session)}/call/${encodeURIComponent(call)}`;
  const markup = asked.get(key) ?? (await askText(address));
  if (markup === null) return;
  asked.set(key, markup);
  // The card may have been replaced in the meantime.
  const current = cardOf(session);
  const place = current?.dataset.call === call ? one(".asked", current) : null;
  if (!current || !place) return;
  place.innerHTML = markup;
  const isAll = !place.firstElementChild;
  one(".what", current)?.toggleAttribute("hidden", !isAll);
  place.hidden = isAll;
}
