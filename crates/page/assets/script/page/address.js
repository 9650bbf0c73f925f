// The URL fragment: `#l123&detail=full&hide=Bash,thinking&q=retry&re=1` is a place and the state of the view.

import { closest } from "core/dom.js";
import { hasModifier } from "core/keys.js";
import { showRail } from "./looks.js";
import { goToName } from "./places.js";
import { search, setSearch } from "./search.js";
import { KINDS, LEVELS, choices, firstLevel, setHidden, setLevel, showsErrorsOnly, view } from "./view.js";

let anchor = "";
let addressTimer = 0;

/** The parts of the fragment by name; the place is `at`. */
function readAddress() {
  /** @type {Record<string, string | undefined>} */
  const parts = {};
  for (const part of location.hash.slice(1).split("&")) {
    const [name = "", value] = part.split(/=(.*)/s);
    if (value === undefined) parts.at ??= decoded(name);
    else parts[name] = value;
  }
  return parts;
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The state of the view, as far as it differs from the initial one. */
function addressParts() {
  const parts = [];
  if (view.level !== firstLevel) parts.push(`detail=${LEVELS[view.level]}`);
  const errorsOnly = showsErrorsOnly();
  if (errorsOnly) parts.push("only=errors");
  const hidden = [...view.hidden].filter((key) => !errorsOnly || key === "agents");
  if (hidden.length) parts.push(`hide=${hidden.map(hiddenName).map(encodeURIComponent).join(",")}`);
  if (search.query) parts.push(`q=${encodeURIComponent(search.query)}`);
  if (search.query && search.isRegex) parts.push("re=1");
  return parts;
}

/**
 * Tools go by their names, unless a filter has the same name.
 *
 * @param {string} key
 */
const hiddenName = (key) => (key.startsWith("tool:") && !(key.slice(5) in KINDS) ? key.slice(5) : key);

/** @param {string} name */
const hiddenKey = (name) => (name in KINDS || name.startsWith("tool:") ? name : `tool:${name}`);

function currentAddress() {
  const parts = [anchor && encodeURIComponent(anchor), ...addressParts()].filter(Boolean);
  return parts.length ? `#${parts.join("&")}` : location.pathname + location.search;
}

/** Updates the fragment soon. Browsers refuse frequent updates. */
export function noteAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(changeAddress, 250, "replaceState");
}

/** @param {"pushState" | "replaceState"} how */
function changeAddress(how) {
  clearTimeout(addressTimer);
  try {
    history[how](history.state, "", currentAddress());
  } catch {
    // The view changes even if the URL cannot.
  }
}

/** Applies the fragment to the page. */
export function followAddress() {
  const parts = readAddress();
  if (parts.detail && LEVELS.includes(parts.detail)) setLevel(LEVELS.indexOf(parts.detail));
  if (parts.only === "errors") setHidden(allButErrors());
  else if (parts.hide !== undefined) {
    const names = parts.hide.split(",").filter(Boolean);
    setHidden(names.map((name) => hiddenKey(decoded(name))));
  }
  if (parts.q !== undefined) setSearch(decoded(parts.q), parts.re === "1");
  anchor = parts.at ?? "";
  if (anchor) goToName(anchor);
  noteAddress();
}

/** The filters to hide so that only failures are left. */
export const allButErrors = () =>
  choices()
    .map(({ key }) => key)
    .filter((key) => key !== "errors" && key !== "agents");

/**
 * Goes to a place, with an entry in the browser's history.
 *
 * @param {string} name
 */
export function visit(name) {
  return goToName(name, () => {
    anchor = name;
    changeAddress("pushState");
  });
}

export function setUpAddress() {
  addEventListener("hashchange", followAddress);
  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (closest(event, 'a[href^="#"]'));
    if (!link || event.defaultPrevented || event.button || hasModifier(event) || event.shiftKey) return;
    const name = decoded(link.hash.slice(1));
    if (link.matches(".skip") || !visit(name)) return;
    event.preventDefault();
    if (link.closest(".rail")) showRail(false);
  });
}
