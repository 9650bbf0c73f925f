// Waits: the count in the tab title, and notifications for readers who enable them.

import { all, make, need, one } from "core/dom.js";
import { remember, remembered } from "core/memory.js";
import { lists, sessionOf } from "./lists.js";

/** A session counts as in view for this long after the last report, in milliseconds. */
const IN_VIEW = 5000;

/** @type {HTMLLinkElement} */
const icon = need("#icon");
const plainIcon = icon.href;
const notifyButton = need("#notify");

/**
 * Sessions that are open in another tab, with the time of the last report.
 * @type {Map<string, number>}
 */
const inView = new Map();

/** @param {number} needsYou how many sessions wait */
export function showCount(needsYou) {
  need("#needs-count").textContent = String(needsYou);
  document.title = `${needsYou ? `(${needsYou}) ` : ""}Board · recount`;
  icon.href = needsYou ? badge(needsYou) : plainIcon;
}

/** @param {number} number */
function badge(number) {
  const canvas = make("canvas", { width: 32, height: 32 });
  const pen = canvas.getContext("2d");
  if (!pen) return plainIcon;
  pen.fillStyle = "#b3261e";
  pen.beginPath();
  pen.arc(16, 16, 16, 0, 7);
  pen.fill();
  pen.fillStyle = "#fff";
  pen.font = "bold 20px sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(number > 9 ? "9+" : String(number), 16, 17);
  return canvas.toDataURL();
}

// ── notifications ──

const wantsNotes = () => notifyButton.getAttribute("aria-pressed") === "true";

/** @param {boolean} isWanted */
const setNotify = (isWanted) => notifyButton.setAttribute("aria-pressed", String(isWanted));

/** Whether the board itself is in view. */
const isLookedAt = () => document.visibilityState === "visible" && document.hasFocus();

/**
 * A wait, by its session, its kind and its start. Each is announced once, however often its card changes.
 *
 * @param {HTMLElement} card
 */
const waitOf = (card) => [sessionOf(card), card.dataset.reason, one("[data-since]", card)?.dataset.since].join(" ");

let knownWaits = new Set(all(".card", lists.needs).map(waitOf));

/** Announces new waits. */
export function notifyOfWaits() {
  const waiting = all(".card", lists.needs);
  const before = knownWaits;
  knownWaits = new Set(waiting.map(waitOf));
  for (const card of waiting) if (!before.has(waitOf(card))) notifyOfWait(card);
}

/** @param {HTMLElement} card */
function notifyOfWait(card) {
  const id = sessionOf(card);
  const isInView = Date.now() - (inView.get(id) ?? 0) < IN_VIEW;
  if (!wantsNotes() || isInView || isLookedAt()) return;
  const title = `${one("h3", card)?.textContent} · ${one(".state", card)?.textContent ?? ""}`;
  // A notification with the same tag replaces the earlier one: one per session, in all tabs together.
  const note = new Notification(title, { body: one(".what", card)?.textContent ?? "", tag: `recount-${id}` });
  note.addEventListener("click", () => {
    focus();
    const link = /** @type {HTMLAnchorElement | null} */ (one("h3 a", card));
    if (link) location.href = link.href;
  });
}

/**
 * Alerts that were announced, by session: each is announced once.
 * @type {Map<string, Map<string, string>>}
 */
const knownAlerts = new Map(all(".card").map((card) => [sessionOf(card), alertsOf(card)]));

/**
 * The alerts of a session without their figures: growing figures are not news.
 *
 * @param {HTMLElement} card
 */
function alertsOf(card) {
  return new Map(all(".alert", card).map(({ textContent }) => [textContent.replace(/\d+/g, ""), textContent]));
}

/** @param {HTMLElement | null} card */
export function notifyOfAlerts(card) {
  if (!card) return;
  const id = sessionOf(card);
  const before = knownAlerts.get(id);
  const alerts = alertsOf(card);
  knownAlerts.set(id, alerts);
  const fresh = [...alerts].filter(([kind]) => !before?.has(kind)).map(([, text]) => text);
  if (!fresh.length || !wantsNotes() || isLookedAt()) return;
  new Notification(one("h3", card)?.textContent ?? "recount", { body: fresh.join("\n"), tag: `recount-alert-${id}` });
}

export function setUpWaits() {
  const channel = globalThis.BroadcastChannel ? new BroadcastChannel("recount") : null;
  channel?.addEventListener("message", ({ data }) => {
    if (data?.reading) inView.set(data.reading, Date.now());
  });
  if (!globalThis.Notification) return;
  notifyButton.hidden = false;
  setNotify(Notification.permission === "granted" && remembered("notify") === "yes");
  notifyButton.addEventListener("click", async () => {
    setNotify(!wantsNotes() && (await Notification.requestPermission()) === "granted");
    remember("notify", wantsNotes() ? "yes" : "no");
  });
}
