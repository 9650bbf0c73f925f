// Appearance: light or dark, diffs in one column or two, the turns on a narrow screen.

import { one, root } from "core/dom.js";
import { remember, remembered } from "core/memory.js";
import { chooseTheme, currentTheme, nextTheme, restoreTheme } from "core/theme.js";
import { placeButtons } from "./copy.js";
import { makeButton, say } from "./page.js";
import { keepPlace } from "./view.js";

/** @type {HTMLSelectElement | null} */
const themeChoice = one('select[name="theme"]');

export const diffButton = makeButton("diff", "side by side", { "aria-pressed": "false", tabindex: "-1" });

export function showNextTheme() {
  chooseTheme(nextTheme());
  if (themeChoice) themeChoice.value = currentTheme();
  say(`theme: ${currentTheme()}`);
}

/** @param {boolean} isSideBySide */
function setDiff(isSideBySide) {
  if (isSideBySide) root.dataset.diff = "side";
  else delete root.dataset.diff;
  diffButton.setAttribute("aria-pressed", String(isSideBySide));
}

export function toggleDiff() {
  const isSideBySide = root.dataset.diff !== "side";
  keepPlace(() => setDiff(isSideBySide));
  placeButtons();
  remember("diff", isSideBySide ? "side" : "one");
}

/**
 * Shows or hides the turns over the conversation; toggles them without an argument.
 *
 * @param {boolean} [isShown]
 */
export function showRail(isShown) {
  const button = one('[data-action="rail"]');
  button?.setAttribute("aria-expanded", String(isShown ?? button.getAttribute("aria-expanded") !== "true"));
}

export function setUpLooks() {
  restoreTheme();
  if (themeChoice) themeChoice.value = currentTheme();
  themeChoice?.addEventListener("change", () => chooseTheme(themeChoice.value));
  setDiff(remembered("diff") === "side");
}
