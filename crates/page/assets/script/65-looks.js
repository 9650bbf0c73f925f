// Looks: light or dark, diffs in one column or two, the turns on a narrow screen.

const THEMES = ["auto", "light", "dark"];
const themeChoice = one('select[name="theme"]');

function setTheme(theme) {
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  if (themeChoice) themeChoice.value = theme;
}

function chooseTheme(theme) {
  setTheme(theme);
  memory.set("theme", theme);
}

function nextTheme() {
  const theme = THEMES[(THEMES.indexOf(root.dataset.theme ?? "auto") + 1) % THEMES.length];
  chooseTheme(theme);
  say(`theme: ${theme}`);
}

const diffButton = makeButton("diff", "side by side", { "aria-pressed": "false", tabindex: "-1" });

function setDiff(isSideBySide) {
  if (isSideBySide) root.dataset.diff = "side";
  else delete root.dataset.diff;
  diffButton.setAttribute("aria-pressed", String(isSideBySide));
}

function toggleDiff() {
  const isSideBySide = root.dataset.diff !== "side";
  keepPlace(() => setDiff(isSideBySide));
  placeButtons();
  memory.set("diff", isSideBySide ? "side" : "one");
}

/** Shows the turns over the conversation, or not, or the other way round. */
function showRail(isShown) {
  const button = one('[data-action="rail"]');
  button?.setAttribute("aria-expanded", String(isShown ?? button.getAttribute("aria-expanded") !== "true"));
}

function setUpLooks() {
  const theme = memory.get("theme");
  if (THEMES.includes(theme)) setTheme(theme);
  themeChoice?.addEventListener("change", () => chooseTheme(themeChoice.value));
  setDiff(memory.get("diff") === "side");
}
