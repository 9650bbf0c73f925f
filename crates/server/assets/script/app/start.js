// What all pages of the app have: the theme, moments in the reader's own time, search as one types, and the keys that
// lead to it.

import { all, one } from "core/dom.js";
import { askText } from "core/ask.js";
import { hasModifier, isInField } from "core/keys.js";
import { chooseTheme, currentTheme, nextTheme, restoreTheme } from "core/theme.js";
import { showLocalTimes } from "core/times.js";

/** Typing has stopped after so long, in milliseconds. */
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
 * Shows what fits while somebody types; the latest answer counts.
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
 * The page that the form of a field leads to.
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
// On a phone, the place where one is may lie beside the others.
one("header.top nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
showLocalTimes(document);
addEventListener("keydown", pressed);
setUpSearch();
