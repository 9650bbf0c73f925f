// The view: the level of detail and the filters. Rules in a stylesheet hide content; chunks that are filled later leave
// it out altogether, so that the document stays small when little is shown.

import { all, make, one, root } from "core/dom.js";
import { noteAddress } from "./address.js";
import { renewChunks, textOf } from "./chunks.js";
import { unescaped } from "./escapes.js";
import { foldByDetail, forgetFolds, opensSteps } from "./folds.js";
import { addSheet, facts, makeButton, pageToolbar, say } from "./page.js";
import { current, firstOnScreen, isOnScreen } from "./places.js";

/** @import { Chunk } from "./chunks.js" */

/**
 * The attributes of a step that the view depends on.
 *
 * @typedef {object} StepFacts
 * @property {string} [id]
 * @property {string} [level]
 * @property {string} [kind]
 * @property {string} [tool]
 * @property {string} [severity]
 */

export const LEVELS = ["prompts", "talk", "steps", "full", "raw"];

/**
 * Filters, with the kinds of steps that each hides.
 * @type {Record<string, string[]>}
 */
export const KINDS = {
  prompts: ["prompt"],
  replies: ["reply"],
  thinking: ["thinking"],
  errors: [],
  agents: [],
  system: ["output", "notice", "context", "compaction", "joint", "outcome", "orphan", "unknown"],
};

/**
 * The filter that each kind of step belongs to.
 * @type {Record<string, string | undefined>}
 */
const filterOf = Object.fromEntries(
  Object.entries(KINDS).flatMap(([filter, kinds]) => kinds.map((kind) => [kind, filter])),
);

export const view = {
  level: Math.max(0, LEVELS.indexOf(root.dataset.detail ?? "steps")),
  /**
   * Filters that are off, and tools as `tool:Bash`.
   * @type {Set<string>}
   */
  hidden: new Set(),
};

export const firstLevel = view.level;
const filterSheet = addSheet();
/** The number of filters that are off, beside the button that opens them. */
const offCount = make("span", { class: "count" });

/** @param {number} level */
const hasLevel = (level) => facts.levels.includes(LEVELS[level] ?? "");

/** All filters and tools. */
export const choices = () =>
  /** @type {HTMLInputElement[]} */ (all('[name="filter"], [name="tool"]', pageToolbar ?? document)).map((box) => ({
    box,
    key: keyOf(box),
  }));

/** @param {HTMLInputElement} box */
const keyOf = (box) => (box.name === "tool" ? `tool:${box.value}` : box.value);

/** Whether only failures are shown. Then all of them are, of any kind. */
export function showsErrorsOnly() {
  if (!view.hidden.size || view.hidden.has("errors")) return false;
  return choices().every(({ key }) => key === "errors" || key === "agents" || view.hidden.has(key));
}

/**
 * Whether a step is shown, by its attributes.
 *
 * @param {StepFacts} step
 * @param {boolean} errorsOnly
 */
export function isShown({ level, kind, tool, severity }, errorsOnly) {
  if (Number(level ?? 0) > view.level) return false;
  if (severity === "error" ? view.hidden.has("errors") : errorsOnly) return false;
  const filter = filterOf[kind ?? ""];
  return errorsOnly || !((filter && view.hidden.has(filter)) || view.hidden.has(`tool:${tool}`));
}

/** Whether hidden content is left out: when little is shown, many chunks are near. */
const isNarrow = () => view.level < 2 || view.hidden.size > 0;

/**
 * Removes hidden content; returns whether there was any.
 *
 * @param {ParentNode} content
 */
export function trim(content) {
  if (!isNarrow()) return false;
  const errorsOnly = showsErrorsOnly();
  for (const element of all("[data-level]", content)) {
    const step = element.matches(".step") ? element : element.matches("time.at") && element.nextElementSibling;
    const isStep = step instanceof HTMLElement;
    if (!isShown((isStep ? step : element).dataset, errorsOnly && isStep)) element.remove();
  }
  if (errorsOnly) for (const turn of all(".turn", content)) if (!one(".step", turn)) turn.remove();
  return true;
}

/**
 * Whether a chunk contains anything to show, by its text.
 *
 * @param {Chunk} chunk
 */
export function showsAnything(chunk) {
  return !isNarrow() || Boolean(chunk.file) || showsStep(chunk);
}

/**
 * Whether a chunk contains a step to show, by its text.
 *
 * @param {Chunk} chunk
 */
export function showsStep(chunk) {
  const errorsOnly = showsErrorsOnly();
  for (const step of stepsIn(textOf(chunk))) if (isShown(step, errorsOnly)) return true;
  return false;
}

/**
 * The attributes of the steps in a text. Text of a session cannot look like this: it is escaped.
 *
 * @param {string} text
 * @returns {Generator<StepFacts>}
 */
export function* stepsIn(text) {
  for (const [tag] of text.matchAll(/<\w+ class="step[ "][^>]*>/g)) {
    const value = (/** @type {string} */ name) => tag.match(new RegExp(` ${name}="([^"]*)"`))?.[1];
    const tool = value("data-tool");
    yield {
      id: value("id"),
      level: value("data-level"),
      kind: value("data-kind"),
      tool: tool && unescaped(tool),
      severity: value("data-severity"),
    };
  }
}

/** @param {number} level */
export function setLevel(level) {
  if (!hasLevel(level)) return say(`this page was made without ${LEVELS[level]}`);
  if (level === view.level) return;
  keepPlace(() => {
    const openedSteps = opensSteps();
    view.level = level;
    foldByDetail();
    root.dataset.detail = LEVELS[level];
    if (openedSteps !== opensSteps()) forgetFolds();
    showView(openedSteps !== opensSteps());
  });
}

/**
 * Turns these filters and tools off, and all others on.
 *
 * @param {Iterable<string>} keys
 */
export function setHidden(keys) {
  keepPlace(() => {
    view.hidden = new Set(keys);
    showView();
  });
}

/** Applies the current choices. */
function showView(isAllNew = false) {
  filterSheet.replaceSync(filterRules());
  for (const { box, key } of choices()) box.checked = !view.hidden.has(key);
  for (const box of /** @type {HTMLInputElement[]} */ (all('[name="detail"]'))) {
    box.checked = box.value === LEVELS[view.level];
  }
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

/**
 * A string of CSS.
 *
 * @param {string} text
 */
const quoted = (text) => `"${text.replace(/["\\\n\r\f]/g, (mark) => `\\${mark.charCodeAt(0).toString(16)} `)}"`;

/**
 * Changes the level and the filters so that a step is shown.
 *
 * @param {StepFacts} step
 */
export function unhide(step) {
  if (Number(step.level ?? 0) > view.level && hasLevel(Number(step.level))) setLevel(Number(step.level));
  const errorsOnly = showsErrorsOnly();
  if (isShown(step, errorsOnly)) return;
  const keys = errorsOnly ? new Set() : new Set(view.hidden);
  for (const key of [filterOf[step.kind ?? ""], `tool:${step.tool}`]) keys.delete(key);
  if (step.severity === "error") keys.delete("errors");
  setHidden(keys);
}

/**
 * Changes the view and keeps the place.
 *
 * @param {() => void} change
 */
export function keepPlace(change) {
  const step = current?.isConnected && isOnScreen(current) ? current : firstOnScreen();
  const top = step?.getBoundingClientRect().top ?? 0;
  const names = step ? [step.id, step.closest(".turn")?.id] : [];
  change();
  const found = names.map((name) => (name ? document.getElementById(name) : null));
  const kept = found.find((element) => element?.getClientRects().length);
  if (kept) scrollBy({ top: kept.getBoundingClientRect().top - top, behavior: "instant" });
}

export function setUpView() {
  const levels = one(".detail", pageToolbar ?? document);
  if (levels) addMissingLevels(levels);
  one(".filters > summary")?.append(" ", offCount);
  one('[data-action="filter-none"]')?.after(" ", makeButton("filter-errors", "errors only"));
  pageToolbar?.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.name === "detail") setLevel(LEVELS.indexOf(target.value));
    if (target.name !== "filter" && target.name !== "tool") return;
    const keys = new Set(view.hidden);
    if (target.checked) keys.delete(keyOf(target));
    else keys.add(keyOf(target));
    setHidden(keys);
  });
}

/**
 * Shows levels that the page does not contain, as disabled.
 *
 * @param {HTMLElement} levels
 */
function addMissingLevels(levels) {
  for (const name of LEVELS) {
    if (one(`[value="${name}"]`, levels)) continue;
    const box = make("input", { type: "radio", name: "detail", value: name, disabled: "" });
    const title = `not in this page: it was made without --detail ${name}`;
    levels.append(make("label", { title }, box, " ", make("span", {}, name)));
  }
}
