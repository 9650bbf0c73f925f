// Copying: the value of a button, a block of code, the words of a message, the link to a step.
//
// One set of buttons moves to the element under the pointer, instead of one set per element.

import { all, closest, make, one, root } from "core/dom.js";
import { eachFrame } from "core/pace.js";
import { chunkOf, foldNumbers, parseChunk } from "./chunks.js";
import { diffButton } from "./looks.js";
import { onGone, onShown, say } from "./page.js";
import { current, firstOnScreen } from "./places.js";

export const DIFF_LINES = "p:is(.same, .removed, .added)";
const OWN_WORDS = ":scope > .words, :scope > .prose";

const copyButton = make("button", { type: "button", class: "copy", tabindex: "-1" }, "copy");
const linkButton = make("button", { type: "button", class: "copy", tabindex: "-1" }, "link");
const beside = make("div", { class: "beside", hidden: "" });
/** @type {HTMLElement | null} */
let pointedAt = null;

/**
 * Copies a text to the clipboard.
 *
 * @param {string} text
 * @param {string} what
 */
async function copyText(text, what) {
  const isCopied = (await copyByClipboard(text)) || copyBySelection(text);
  say(isCopied ? `${what} copied` : "the browser does not allow it to be copied");
}

/** @param {string} text */
async function copyByClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Copies without the clipboard API, for browsers and pages that lack it.
 *
 * @param {string} text
 */
function copyBySelection(text) {
  const focused = document.activeElement;
  const field = make("textarea", { class: "status", "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  let isCopied = false;
  try {
    isCopied = document.execCommand("copy");
  } catch {
    // The caller reports the failure.
  }
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}

/**
 * The text of a block or a step, as shown.
 *
 * @param {HTMLElement} element
 */
function wordsToCopy(element) {
  // Lines in the form of a patch.
  if (element.matches(".diff")) {
    const lines = all(DIFF_LINES, whole(element));
    return lines.map((line) => `${signOf(line)}${line.textContent}\n`).join("");
  }
  if (element.matches("pre")) {
    const block = whole(element.closest(".long") ?? element);
    const pieces = block.matches("pre") ? [block] : all("pre", block);
    return pieces.map((piece) => (one("code", piece) ?? piece).textContent).join("");
  }
  return (one(OWN_WORDS, element) ?? element).innerText.trim();
}

/** @param {Element} line */
function signOf(line) {
  if (line.matches(".added")) return "+";
  return line.matches(".removed") ? "-" : " ";
}

/**
 * A block with all its folded content.
 *
 * @param {Element} block
 */
function whole(block) {
  const fold = one("details", block);
  const chunk = fold && chunkOf(fold);
  return (chunk && parseChunk(chunk).folds[foldNumbers.get(fold) ?? -1]?.closest(".long, .diff")) ?? block;
}

/** The step that the reader refers to. */
const meantStep = () => document.activeElement?.closest(".step") ?? current ?? firstOnScreen();

/** @param {Element | null} [step] */
export function copyLink(step = meantStep()?.closest("[id]")) {
  if (step) copyText(`${location.href.split("#")[0]}#${encodeURIComponent(step.id)}`, "link");
}

/** @param {Element | null} [element] */
export function copyWords(element = document.activeElement?.closest("pre, .diff") ?? meantStep()) {
  if (!(element instanceof HTMLElement)) return;
  copyText(wordsToCopy(element), element.matches(".step") ? "words" : "block");
}

/**
 * Moves the buttons to the element under the pointer.
 *
 * @param {HTMLElement | null} element
 */
function pointAt(element) {
  if (element === pointedAt) return;
  pointedAt = element;
  beside.hidden = !element;
  if (!element) return;
  const isStep = element.matches(".step");
  linkButton.hidden = !isStep || !element.id;
  diffButton.hidden = !element.matches(".diff");
  copyButton.hidden = isStep && !one(OWN_WORDS, element);
  placeButtons();
}

export function placeButtons() {
  if (!pointedAt) return;
  const box = pointedAt.getBoundingClientRect();
  const right = Math.min(box.right, root.clientWidth) + scrollX;
  // Above the words of a step, within the frame of a block.
  const top = pointedAt.matches(".step") ? box.top - beside.offsetHeight / 2 : box.top + 2;
  beside.style.top = `${top + scrollY}px`;
  beside.style.left = `${right - beside.offsetWidth - 2}px`;
}

export function setUpCopy() {
  beside.append(diffButton, copyButton, linkButton);
  document.body.append(beside);
  const follow = (/** @type {string} */ copied) => (/** @type {Event} */ event) => {
    if (event.target instanceof Node && beside.contains(event.target)) return;
    pointAt(closest(event, "#conversation, .threads, .lines") && closest(event, copied));
  };
  document.addEventListener("pointerover", follow("pre, .diff, .step"));
  document.addEventListener("focusin", follow("pre, .diff"));
  const place = eachFrame(placeButtons);
  onShown(place);
  onGone((within) => (within.contains(pointedAt) ? pointAt(null) : place()));
  copyButton.addEventListener("click", () => pointedAt && copyWords(pointedAt));
  linkButton.addEventListener("click", () => pointedAt && copyLink(pointedAt));
  document.addEventListener("click", (event) => {
    const { copy } = closest(event, ".copy[data-copy]")?.dataset ?? {};
    if (copy !== undefined) copyText(copy, "it is");
  });
}
