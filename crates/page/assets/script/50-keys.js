// Keys. The help of the page lists them (`src/html/page/toolbar.rs`).

const help = one("#help");

/** What the buttons of the toolbar do; keys do the same. */
const actions = {
  previous: () => goToFind(-1),
  next: () => goToFind(1),
  fold: () => foldAll(false),
  unfold: () => foldAll(true),
  rail: () => showRail(),
  help: () => help && !help.open && help.showModal(),
  "close-help": () => help?.close(),
  "filter-all": () => setHidden([]),
  "filter-none": () => setHidden(choices().map(({ key }) => key)),
  "filter-errors": () => setHidden(allButErrors()),
  times: () => toggleTimes(),
  diff: () => toggleDiff(),
  play: () => openPlayer(),
};

const keys = {
  j: () => walk(nextStep, 1),
  k: () => walk(nextStep, -1),
  J: () => walk(nextTurn, 1),
  K: () => walk(nextTurn, -1),
  e: () => walk(nextError, 1, "no failure after this"),
  E: () => walk(nextError, -1, "no failure before this"),
  o: () => toggleCurrent(),
  O: () => foldAll(!opensSteps()),
  c: () => copyLink(),
  y: () => copyWords(),
  d: actions.diff,
  p: actions.play,
  n: actions.next,
  N: actions.previous,
  g: () => scrollTo({ top: 0, behavior: "instant" }),
  G: () => goToEnd(),
  t: () => nextTheme(),
  "/": () => searchField?.focus(),
  "?": actions.help,
  Escape: () => escape(),
};

for (const [level] of LEVELS.entries()) keys[level + 1] = () => setLevel(level);

async function walk(next, direction, otherwise) {
  let element = next(direction);
  while (element?.file) {
    await loadPart(element.file);
    element = next(direction);
  }
  if (element) goTo(element, { scroll: element.matches(".turn") ? "start" : "nearest" });
  else if (otherwise) say(otherwise);
}

/** The fold that the reader means: where the focus is, or the current step. */
function toggleCurrent() {
  const focused = document.activeElement?.closest("#conversation details, .threads details");
  const fold = focused ?? (current ?? firstOnScreen())?.closest("details");
  if (!fold) return;
  if (!fold.open) return openFold(fold);
  // What had the focus is about to go.
  if (fold.contains(document.activeElement)) goTo(fold, { scroll: "nearest" });
  fold.open = false;
}

async function goToEnd() {
  const elements = () => all("#conversation > .chunk, #conversation > .part");
  const findLast = () => elements().map((element) => chunkByElement.get(element)).findLast(showsAnything);
  let last = findLast();
  while (last?.file && !last.isLost) {
    await loadPart(last.file);
    last = findLast();
  }
  if (!last) return;
  fill(last);
  hold(() => last.element.scrollIntoView({ block: "end", behavior: "instant" }));
}

/** Closes whatever is open; then forgets the search. */
function escape() {
  const menu = one(".filters[open]");
  if (menu) return (menu.open = false);
  if (one('[data-action="rail"][aria-expanded="true"]')) return showRail(false);
  if (search.query) return clearSearch();
  setCurrent(null);
}

const isField = (element) =>
  element.matches?.('input:not([type="checkbox"], [type="radio"]), select, textarea, [contenteditable]');

function setUpKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
    // A dialog closes by itself.
    if (one("dialog[open]")) return;
    if (event.key === "Enter" && event.target.matches?.("details.step")) {
      toggleCurrent();
      return event.preventDefault();
    }
    const action = Object.hasOwn(keys, event.key) && keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  document.addEventListener("click", (event) => {
    const name = event.target.closest("[data-action]")?.dataset.action;
    if (Object.hasOwn(actions, name)) actions[name]();
    const menu = one(".filters[open]");
    if (menu && !menu.contains(event.target)) menu.open = false;
  });
  help?.addEventListener("click", (event) => event.target === help && help.close());
}
