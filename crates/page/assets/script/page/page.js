// The page, as all modules of its script see it. `src/lib.rs` describes the markup.

import { make, one, readData } from "core/dom.js";

/**
 * A turn of the conversation: its number, when it began, and its chunk.
 * @typedef {[number: number, started: number | null, chunk: number]} Turn
 */

/**
 * A position on the timeline, and its moment.
 * @typedef {[place: number, moment: number]} TimelinePoint
 */

/**
 * The page's facts about the whole session.
 *
 * @typedef {object} Facts
 * @property {string[]} levels the levels of detail in the page
 * @property {Turn[]} turns
 * @property {TimelinePoint[]} timeline
 * @property {string} [event] the last event that a page from a server includes
 * @property {number} [part] the number of the part that this page is
 * @property {string} [whole] the page that a part belongs to
 */

/** @type {Facts} */
export const facts = {
  levels: ["prompts", "talk", "steps", "full"],
  turns: [],
  timeline: [],
  ...readData("facts", {}),
};

/** Whether a server reports additions to the session while it is read (growth.js). */
export const grows = facts.event !== undefined;

export const pageToolbar = one(".toolbar");

/** The browser's registry of highlights, if it has one. */
export const highlights = globalThis.Highlight && globalThis.CSS?.highlights ? CSS.highlights : null;

/** @typedef {(within: HTMLElement) => void} ContentListener */

/** @type {ContentListener[]} */
const whenShown = [];
/** @type {ContentListener[]} */
const whenGone = [];

/**
 * Calls a function with the element around content that was added to the document.
 *
 * @param {ContentListener} listener
 */
export const onShown = (listener) => whenShown.push(listener);

/**
 * Calls a function with the element around content that is about to be removed.
 *
 * @param {ContentListener} listener
 */
export const onGone = (listener) => whenGone.push(listener);

/** @param {HTMLElement} within */
export function announceShown(within) {
  for (const listener of whenShown) listener(within);
}

/** @param {HTMLElement} within */
export function announceGone(within) {
  for (const listener of whenGone) listener(within);
}

/**
 * A button for one of the actions (keys.js).
 *
 * @param {string} action
 * @param {string} words
 * @param {Record<string, string>} [attributes]
 */
export const makeButton = (action, words, attributes = {}) =>
  make("button", { type: "button", "data-action": action, ...attributes }, words);

/**
 * A stylesheet of the script's own, or a substitute that does nothing.
 *
 * @param {string[]} rules
 * @returns {{ replaceSync(rules: string): void }}
 */
export function addSheet(...rules) {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules.join("\n"));
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return sheet;
  } catch {
    return { replaceSync() {} };
  }
}

const statusLine = make("div", { class: "status", role: "status" });
const toast = make("div", { class: "toast", "aria-hidden": "true", hidden: "" });
let toastTimer = 0;

/**
 * Shows a message, also to screen readers.
 *
 * @param {string} words
 */
export function say(words) {
  statusLine.textContent = words;
  toast.textContent = words;
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (toast.hidden = true), 1600);
}

export function setUpPage() {
  addSheet(
    ".chunk { content-visibility: visible; }",
    ".status { position: fixed; clip-path: inset(50%); white-space: nowrap; }",
    ".beside { position: absolute; z-index: 1; display: flex; gap: 2px; font-size: var(--size-1); }",
    ".timeline .here { fill: var(--accent); }",
  );
  if (pageToolbar) pageToolbar.hidden = false;
  document.body.append(statusLine, toast);
}
