// The script of all pages of the app: the theme, times in the reader's zone, search while typing, and shortcut keys.

import { all, one } from "core/dom.js";
import { askText } from "core/ask.js";
import { hasModifier, isInField } from "core/keys.js";
import { chooseTheme, currentTheme, nextTheme, restoreTheme } from "core/theme.js";
import { showLocalTimes } from "core/times.js";

/** Pause that counts as the end of typing, in milliseconds. */
const STOPPED_TYPING = 120;

const themeButton = one("#theme");
/** @type {HTMLInputElement | null} */
const everythingField = one("header.top input[type=search]");

function showTheme() {
  if (themeButton) themeButton.textContent = currentTheme();
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (hasModifier(event)) return;
  const isTyping = isInField(event);
  if (isTyping && event.key === "Escape" && event.target instanceof HTMLElement) event.target.blur();
  if (isTyping || event.key !== "/") return;
  event.preventDefault();
  everythingField?.focus();
}

/**
 * Updates the results while the reader types; the latest answer wins.
 *
 * @param {HTMLInputElement} field
 * @param {HTMLElement} place
 * @param {() => string} address of the page that shows what fits
 */
function searchAsTyped(field, place, address) {
  let asked = 0;
  let timer = 0;
  const ask = async () => {
    const number = ++asked;
    const page = address();
    const markup = await askText(`${page}${page.includes("?") ? "&" : "?"}part=true`);
    if (number !== asked || markup === null) return;
    place.innerHTML = markup;
    showLocalTimes(place);
    history.replaceState(null, "", page);
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, STOPPED_TYPING);
  });
}

/**
 * The URL that the form of a field leads to.
 *
 * @param {HTMLInputElement} field
 */
function formAddress({ form }) {
  const asked = new URLSearchParams();
  for (const [name, value] of form ? new FormData(form) : []) asked.append(name, String(value));
  return `${form?.getAttribute("action")}?${asked}`;
}

function setUpSearch() {
  const found = one("#found");
  const field = everythingField;
  if (found && field) {
    searchAsTyped(field, found, () => `/search?q=${encodeURIComponent(field.value)}`);
    if (!field.value) field.focus();
  }
  for (const part of /** @type {HTMLInputElement[]} */ (all("input[data-part]"))) {
    const place = one(part.dataset.part ?? "");
    if (place) searchAsTyped(part, place, () => formAddress(part));
  }
}

restoreTheme();
showTheme();
themeButton?.addEventListener("click", () => {
  chooseTheme(nextTheme());
  showTheme();
});
// On a phone, the current entry may be outside the visible part of the navigation.
one("header.top nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
showLocalTimes(document);
addEventListener("keydown", pressed);
setUpSearch();
