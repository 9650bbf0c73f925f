// The theme: light, dark, or that of the system.

import { root } from "core/dom.js";
import { remember, remembered } from "core/memory.js";

const THEMES = ["auto", "light", "dark"];

/** The theme of this page. */
export const currentTheme = () => root.dataset.theme ?? "auto";

/** The theme after the current one. */
export const nextTheme = () => THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length] ?? "auto";

/** @param {string} theme */
function applyTheme(theme) {
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
}

/**
 * Applies a theme to this page and to pages that are opened later.
 *
 * @param {string} theme
 */
export function chooseTheme(theme) {
  applyTheme(theme);
  remember("theme", theme);
}

/** Applies the theme that was chosen last. */
export function restoreTheme() {
  const theme = remembered("theme");
  if (THEMES.includes(theme)) applyTheme(theme);
}
