// The address: `#l123&detail=full&hide=Bash,thinking&q=retry&re=1` is a place and how it was looked at.

let anchor = "";
let addressTimer = 0;

/** Parts of an address, by their names; the place is `at`. */
function readAddress() {
  const parts = {};
  for (const part of location.hash.slice(1).split("&")) {
    const [name, value] = part.split(/=(.*)/s);
    if (value === undefined) parts.at ??= decoded(name);
    else parts[name] = value;
  }
  return parts;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** How the page is looked at, as far as it is not as it was made. */
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

/** Tools go by their names, unless a filter has the same. */
const hiddenName = (key) => (key.startsWith("tool:") && !(key.slice(5) in KINDS) ? key.slice(5) : key);
const hiddenKey = (name) => (name in KINDS || name.startsWith("tool:") ? name : `tool:${name}`);

function address() {
  const parts = [anchor && encodeURIComponent(anchor), ...addressParts()].filter(Boolean);
  return parts.length ? `#${parts.join("&")}` : location.pathname + location.search;
}

/** Writes the address soon. Browsers refuse to do so too often. */
function noteAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => changeAddress("replaceState"), 250);
}

function changeAddress(how) {
  clearTimeout(addressTimer);
  try {
    history[how](history.state, "", address());
  } catch {
    // The page is as it is, without an address for it.
  }
}

/** Makes the page be what the address says. */
function followAddress() {
  const parts = readAddress();
  if (parts.detail && LEVELS.includes(parts.detail)) setLevel(LEVELS.indexOf(parts.detail));
  if (parts.only === "errors") setHidden(allButErrors());
  else if (parts.hide !== undefined) {
    setHidden(parts.hide.split(",").filter(Boolean).map((name) => hiddenKey(decoded(name))));
  }
  if (parts.q !== undefined) setSearch(decoded(parts.q), parts.re === "1");
  anchor = parts.at ?? "";
  if (anchor) goToName(anchor);
  noteAddress();
}

const allButErrors = () => choices().map(({ key }) => key).filter((key) => key !== "errors" && key !== "agents");

/** Goes somewhere so that one can come back. */
function visit(name) {
  return goToName(name, () => {
    anchor = name;
    changeAddress("pushState");
  });
}

function setUpAddress() {
  addEventListener("hashchange", followAddress);
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const name = decoded(link.hash.slice(1));
    if (link.matches(".skip") || !visit(name)) return;
    event.preventDefault();
    if (link.closest(".rail")) showRail(false);
  });
}
