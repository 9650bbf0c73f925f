// What is shown: the detail, and the filters. Rules in a style sheet hide what is not wanted; chunks that come later
// leave it out altogether, so that little is in the document when little is shown.

const LEVELS = ["prompts", "talk", "steps", "full", "raw"];

const KINDS = {
  prompts: ["prompt"],
  replies: ["reply"],
  thinking: ["thinking"],
  errors: [],
  agents: [],
  system: ["output", "notice", "context", "compaction", "joint", "outcome", "orphan", "unknown"],
};

/** The filter that each kind of steps belongs to. */
const filterOf = Object.fromEntries(
  Object.entries(KINDS).flatMap(([filter, kinds]) => kinds.map((kind) => [kind, filter])),
);

const view = {
  level: Math.max(0, LEVELS.indexOf(root.dataset.detail ?? "steps")),
  /** Filters that are off, and tools as `tool:Bash`. */
  hidden: new Set(),
};

const firstLevel = view.level;
const filterSheet = addSheet();
/** How many filters are off, beside the button that opens them. */
const offCount = make("span", { class: "count" });

const hasLevel = (level) => facts.levels.includes(LEVELS[level]);

/** All that can be chosen. */
const choices = () =>
  all('[name="filter"], [name="tool"]', toolbar ?? document).map((box) => ({ box, key: keyOf(box) }));

const keyOf = (box) => (box.name === "tool" ? `tool:${box.value}` : box.value);

/** Whether nothing but failures is wanted. Then they are, whatever failed. */
function showsErrorsOnly() {
  if (!view.hidden.size || view.hidden.has("errors")) return false;
  return choices().every(({ key }) => key === "errors" || key === "agents" || view.hidden.has(key));
}

/** Whether a step is shown, by its attributes. */
function isShown({ level, kind, tool, severity }, errorsOnly) {
  if (Number(level ?? 0) > view.level) return false;
  if (severity === "error" ? view.hidden.has("errors") : errorsOnly) return false;
  return errorsOnly || !(view.hidden.has(filterOf[kind]) || view.hidden.has(`tool:${tool}`));
}

/** Whether all that is hidden is better left out: when little is shown, many chunks are near. */
const isNarrow = () => view.level < 2 || view.hidden.size > 0;

/** Takes out what is not shown; tells whether there was any. */
function trim(content) {
  if (!isNarrow()) return false;
  const errorsOnly = showsErrorsOnly();
  for (const element of all("[data-level]", content)) {
    const step = element.matches(".step") ? element : element.matches("time.at") && element.nextElementSibling;
    if (!isShown(step?.dataset ?? element.dataset, errorsOnly && Boolean(step))) element.remove();
  }
  if (errorsOnly) for (const turn of all(".turn", content)) if (!one(".step", turn)) turn.remove();
  return true;
}

/** Whether anything in a chunk would be shown, by its text. */
function showsAnything(chunk) {
  if (!isNarrow() || chunk.file) return true;
  const errorsOnly = showsErrorsOnly();
  for (const step of stepsIn(textOf(chunk))) if (isShown(step, errorsOnly)) return true;
  return false;
}

/** The attributes of the steps in a text. No text of a session looks like this: it is escaped. */
function* stepsIn(text) {
  for (const [tag] of text.matchAll(/<\w+ class="step[ "][^>]*>/g)) {
    const value = (name) => tag.match(new RegExp(` ${name}="([^"]*)"`))?.[1];
    const tool = value("data-tool")?.replace(/&quot;/g, '"').replace(/&lt;/g, "<").replace(/&gt;/g, ">");
    yield {
      id: value("id"),
      level: value("data-level"),
      kind: value("data-kind"),
      tool: tool?.replace(/&amp;/g, "&"),
      severity: value("data-severity"),
    };
  }
}

function setLevel(level) {
  if (!hasLevel(level)) return say(`this page was made without ${LEVELS[level]}`);
  if (level === view.level) return;
  keepPlace(() => {
    const openedSteps = opensSteps();
    view.level = level;
    unfolded = null;
    root.dataset.detail = LEVELS[level];
    if (openedSteps !== opensSteps()) forgetFolds();
    showView(openedSteps !== opensSteps());
  });
}

/** Hides these filters and tools, and no others. */
function setHidden(keys) {
  keepPlace(() => {
    view.hidden = new Set(keys);
    showView();
  });
}

/** Makes everything follow the choices that were made. */
function showView(isAllNew = false) {
  filterSheet.replaceSync(filterRules());
  for (const { box, key } of choices()) box.checked = !view.hidden.has(key);
  for (const box of all('[name="detail"]')) box.checked = box.value === LEVELS[view.level];
  offCount.textContent = view.hidden.size ? `${view.hidden.size} off` : "";
  renewChunks((chunk) => isAllNew || chunk.isTrimmed);
  noteAddress();
}

function filterRules() {
  const errorsOnly = showsErrorsOnly();
  const steps = [];
  if (errorsOnly) steps.push('.step:not([data-severity="error"])');
  const rules = [];
  for (const key of view.hidden) {
    if (key === "errors") steps.push('.step[data-severity="error"]');
    else if (key === "agents") rules.push('.thread[data-kind="agent"] { display: none; }');
    else if (errorsOnly) continue;
    else if (key.startsWith("tool:")) steps.push(`.step[data-tool=${quoted(key.slice(5))}]`);
    else for (const kind of KINDS[key] ?? []) steps.push(`.step[data-kind="${kind}"]`);
  }
  if (errorsOnly) rules.push('.turn:not(:has(.step[data-severity="error"])) { display: none; }');
  for (const step of steps) rules.push(`${step} { display: none; }`, `time.at:has(+ ${step}) { display: none; }`);
  return rules.join("\n");
}

/** A string of CSS. */
const quoted = (text) => `"${text.replace(/["\\\n\r\f]/g, (mark) => `\\${mark.charCodeAt(0).toString(16)} `)}"`;

/** Shows what hides an element that somebody wants to see. */
function unhide(step) {
  if (Number(step.level ?? 0) > view.level && hasLevel(Number(step.level))) setLevel(Number(step.level));
  const errorsOnly = showsErrorsOnly();
  if (isShown(step, errorsOnly)) return;
  const keys = errorsOnly ? new Set() : new Set(view.hidden);
  for (const key of [filterOf[step.kind], `tool:${step.tool}`]) keys.delete(key);
  if (step.severity === "error") keys.delete("errors");
  setHidden(keys);
}

/** Changes what is shown without losing the place. */
function keepPlace(change) {
  const step = current?.isConnected && isOnScreen(current) ? current : firstOnScreen();
  const top = step?.getBoundingClientRect().top;
  const names = step ? [step.id, step.closest(".turn")?.id].filter(Boolean) : [];
  change();
  const kept = names.map((name) => document.getElementById(name)).find((found) => found?.getClientRects().length);
  if (kept) scrollBy({ top: kept.getBoundingClientRect().top - top, behavior: "instant" });
}

function setUpView() {
  const levels = one(".detail", toolbar ?? document);
  for (const name of levels ? LEVELS : []) {
    if (one(`[value="${name}"]`, levels)) continue;
    const box = make("input", { type: "radio", name: "detail", value: name, disabled: "" });
    const title = `not in this page: it was made without --detail ${name}`;
    levels.append(make("label", { title }, box, " ", make("span", {}, name)));
  }
  one(".filters > summary")?.append(" ", offCount);
  const none = one('[data-action="filter-none"]');
  none?.after(" ", makeButton("filter-errors", "errors only"));
  toolbar?.addEventListener("change", ({ target }) => {
    if (target.name === "detail") setLevel(LEVELS.indexOf(target.value));
    if (target.name !== "filter" && target.name !== "tool") return;
    const keys = new Set(view.hidden);
    if (target.checked) keys.delete(keyOf(target));
    else keys.add(keyOf(target));
    setHidden(keys);
  });
}
