// The timeline: the activity of all sessions on one time axis. Bars are calls, coloured by kind, with links to their
// steps.

import { all, makeSvg, need, one, readData } from "core/dom.js";
import { duration, exactTimeOfDay, runningDuration, shortened, timeOfDay, zoneOffset } from "core/human.js";
import { hasModifier } from "core/keys.js";
import { remember, remembered } from "core/memory.js";
import { eachFrame } from "core/pace.js";
import { now, since } from "./clock.js";
import { lists, sessionOf, shownCards } from "./lists.js";

/**
 * An activity with a duration.
 *
 * @typedef {object} Bar
 * @property {number} lane
 * @property {string} kind
 * @property {number} from
 * @property {number | null} to null while it runs
 * @property {string} what
 * @property {string} anchor of its step
 */

/**
 * The scale of the time axis.
 *
 * @typedef {object} Axis
 * @property {number} width of the whole drawing
 * @property {number} labels the space for names
 * @property {number} left the first moment
 * @property {number} right the last moment
 * @property {(moment: number) => number} x
 */

const ROW = 22;
const LANE = 11;
const TOP = 22;
/** The approximate width of a letter. */
const LETTER = 5.9;
const LEAST_SPAN = 60_000;
const MOST_SPAN = 86_400_000;
/** Round intervals between labels. */
const STEPS = [10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600].map((seconds) => seconds * 1000);

/**
 * Bars by session, and by lane, time and place.
 * @type {Map<string, Map<string, Bar>>}
 */
const barsBySession = new Map();

const timeline = need("#timeline");
const plot = need(".plot", timeline);
/** @type {HTMLButtonElement} */
const nowButton = need("#now");
const spanButtons = all("[data-span]", timeline);
let span = 3_600_000;
/**
 * The right edge; null means now.
 * @type {number | null}
 */
let end = null;

const lastMoment = () => end ?? now();

/** @param {string} id */
const barsOf = (id) => [...(barsBySession.get(id)?.values() ?? [])];

/**
 * @param {string} id
 * @param {Bar[]} bars
 */
export function addBars(id, bars) {
  const known = barsBySession.get(id) ?? new Map();
  for (const bar of bars) known.set(`${bar.lane} ${bar.from} ${bar.anchor}`, bar);
  barsBySession.set(id, known);
}

/** @param {string} id */
export const forgetBars = (id) => barsBySession.delete(id);

/**
 * Reads all bars from a page.
 *
 * @param {Document} page
 */
export function readBars(page) {
  barsBySession.clear();
  /** @type {[id: string, bars: Bar[]][]} */
  const sessions = readData("bars", [], page);
  for (const [id, bars] of sessions) addBars(id, bars);
}

/** @returns {Axis} */
function axisNow() {
  const width = Math.max(240, plot.clientWidth - 16);
  const labels = width < 500 ? 92 : 184;
  const right = lastMoment() + span / 100;
  const left = right - span;
  return { width, labels, left, right, x: (at) => labels + ((at - left) / span) * (width - labels) };
}

export function drawTimeline() {
  const axis = axisNow();
  const rows = [];
  let y = TOP;
  for (const card of shownCards()) {
    const seen = barsOf(sessionOf(card)).filter((bar) => (bar.to ?? axis.right) >= axis.left && bar.from <= axis.right);
    const waitsSince = card.dataset.part === "needs" ? Number(one("[data-since]", card)?.dataset.since) : NaN;
    if (!seen.length && !(waitsSince < axis.right)) continue;
    const lanes = [...new Set(seen.map((bar) => bar.lane))].sort((a, b) => a - b);
    const height = Math.max(ROW, 8 + Math.max(1, lanes.length) * LANE);
    rows.push(...drawSession({ card, seen, lanes, y, height, axis, waitsSince }));
    y += height;
  }
  const drawing = makeSvg("svg", { width: axis.width, height: y, viewBox: `0 0 ${axis.width} ${y}` });
  drawing.append(...drawGrid(axis, y), ...rows);
  plot.replaceChildren(drawing);
  // The controls stay if the selected time is empty, so that the reader can go back.
  const hasBars = [...barsBySession.values()].some((known) => known.size);
  timeline.classList.toggle("empty", y === TOP && !hasBars);
  nowButton.hidden = end === null;
}

/**
 * @param {{ card: HTMLElement, seen: Bar[], lanes: number[], y: number, height: number, axis: Axis,
 *   waitsSince: number }} session
 */
function drawSession({ card, seen, lanes, y, height, axis, waitsSince }) {
  const { labels, width, x } = axis;
  /** @type {HTMLAnchorElement} */
  const { textContent: title, href } = need("h3 a", card);
  const name = shortened(title, Math.floor((labels - 10) / LETTER) - 1);
  const label = makeSvg("text", { x: 0, y: y + 14, class: "label" }, name);
  const bottom = y + height - 0.5;
  const parts = [
    makeSvg("line", { x1: 0, x2: width, y1: bottom, y2: bottom, class: "rule" }),
    makeSvg("a", { href }, label, makeSvg("title", {}, title)),
  ];
  const box = (/** @type {number} */ from, /** @type {number} */ to) => {
    const start = Math.max(x(from), labels);
    return { x: start, width: Math.max(2, Math.min(x(to), width) - start) };
  };
  if (waitsSince) {
    const place = { ...box(waitsSince, lastMoment()), y: y + 2, height: height - 5 };
    const note = makeSvg("title", {}, `waits for you · ${runningDuration(since(waitsSince))}`);
    parts.push(makeSvg("a", { href, tabindex: -1 }, makeSvg("rect", { ...place, class: "waiting open" }), note));
  }
  const drawn = new Set();
  for (const bar of seen) {
    const over = bar.to ?? lastMoment();
    const place = { ...box(bar.from, over), y: y + 4 + lanes.indexOf(bar.lane) * LANE, height: LANE - 3 };
    // Bars that are too small to distinguish are drawn once.
    const mark = `${bar.lane} ${bar.kind} ${Math.round(place.x / 2)}`;
    if (place.width < 3 && drawn.has(mark)) continue;
    drawn.add(mark);
    const rect = makeSvg("rect", { ...place, rx: 1, class: `bar ${bar.kind}${bar.to === null ? " open" : ""}` });
    const note = makeSvg("title", {}, describeBar(bar, over));
    parts.push(makeSvg("a", { href: `${href}#${encodeURIComponent(bar.anchor)}`, tabindex: -1 }, rect, note));
  }
  return parts;
}

/**
 * @param {Bar} bar
 * @param {number} over
 */
function describeBar(bar, over) {
  const took = Math.max(0, over - bar.from);
  const time = bar.to === null ? runningDuration(took) : duration(took);
  return `${bar.what} · ${time} · ${exactTimeOfDay(bar.from)}`;
}

/**
 * @param {Axis} axis
 * @param {number} bottom
 */
function drawGrid({ width, labels, left, right, x }, bottom) {
  const step = STEPS.find((step) => (step / span) * (width - labels) > 62) ?? STEPS.at(-1) ?? MOST_SPAN;
  const write = step < 60_000 ? exactTimeOfDay : timeOfDay;
  const offset = -zoneOffset(right);
  const line = (/** @type {number} */ at, /** @type {string} */ kind) =>
    makeSvg("line", { x1: x(at), x2: x(at), y1: 17, y2: bottom, class: kind });
  /** @type {SVGElement[]} */
  const parts = [];
  for (let at = Math.ceil((left - offset) / step) * step + offset; at <= right; at += step) {
    parts.push(line(at, "grid"));
    const hasRoom = x(at) > labels + 16 && x(at) < width - 18;
    if (hasRoom) parts.push(makeSvg("text", { x: x(at), y: 12, class: "tick" }, write(at)));
  }
  if (end === null) parts.push(line(now(), "present"));
  return parts;
}

const drawInFrame = eachFrame(drawTimeline);

export function drawSoon() {
  if (document.visibilityState !== "hidden") drawInFrame();
}

/** Redraws as time passes, unless the reader looks at the past. */
export function followClock() {
  if (end === null) drawSoon();
}

// ── zoom and pan ──

/** @param {number} wanted */
function setSpan(wanted) {
  span = Math.min(MOST_SPAN, Math.max(LEAST_SPAN, wanted));
  for (const button of spanButtons) button.setAttribute("aria-pressed", String(Number(button.dataset.span) === span));
  drawSoon();
}

/** Chooses a span that covers the recent activity, unless the reader chose one. */
function chooseSpan() {
  const chosen = Number(remembered("span"));
  if (chosen >= LEAST_SPAN) return setSpan(chosen);
  const active = [lists.needs, lists.work].flatMap((list) => all(".card", list)).map(sessionOf);
  const known = (active.length ? active : [...barsBySession.keys()]).flatMap(barsOf);
  const first = known.reduce((first, bar) => Math.min(first, bar.from), now());
  const choices = spanButtons.map((button) => Number(button.dataset.span));
  setSpan(choices.find((choice) => now() - first < choice) ?? MOST_SPAN);
}

/**
 * Pans by a share of the visible span.
 *
 * @param {number} share
 */
function pan(share) {
  const next = lastMoment() + share * span;
  end = next >= now() ? null : next;
  drawSoon();
}

function showNow() {
  end = null;
  drawSoon();
}

/** @type {Record<string, () => void>} */
const timelineKeys = {
  ArrowLeft: () => pan(-0.2),
  ArrowRight: () => pan(0.2),
  "+": () => setSpan(span / 2),
  "-": () => setSpan(span * 2),
  Home: showNow,
};

/** @param {KeyboardEvent} event */
function timelinePressed(event) {
  if (hasModifier(event) || !Object.hasOwn(timelineKeys, event.key)) return;
  event.preventDefault();
  timelineKeys[event.key]?.();
}

/** @param {WheelEvent} event */
function wheeled(event) {
  if (!event.ctrlKey && !event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
  event.preventDefault();
  if (event.ctrlKey) setSpan(span * (event.deltaY > 0 ? 1.25 : 0.8));
  else pan((event.deltaX || event.deltaY) / plot.clientWidth);
}

function setUpDragging() {
  /** @type {number | null} */
  let grabbed = null;
  let hasMoved = false;
  plot.addEventListener("pointerdown", (event) => {
    hasMoved = false;
    if (event.button === 0) grabbed = event.clientX;
  });
  addEventListener("pointermove", (event) => {
    if (!event.buttons) grabbed = null;
    if (grabbed === null || Math.abs(event.clientX - grabbed) < 3) return;
    hasMoved = true;
    pan((grabbed - event.clientX) / plot.clientWidth);
    grabbed = event.clientX;
  });
  // A click at the end of a drag is not meant for the bar under the pointer.
  const cancel = (/** @type {Event} */ event) => hasMoved && event.preventDefault();
  plot.addEventListener("click", cancel, { capture: true });
  plot.addEventListener("dragstart", (event) => event.preventDefault());
}

export function setUpTimeline() {
  for (const button of spanButtons) {
    button.addEventListener("click", () => {
      remember("span", button.dataset.span ?? "");
      setSpan(Number(button.dataset.span));
    });
  }
  nowButton.addEventListener("click", showNow);
  plot.addEventListener("wheel", wheeled, { passive: false });
  plot.addEventListener("keydown", timelinePressed);
  setUpDragging();
  addEventListener("resize", drawSoon);
  document.addEventListener("visibilitychange", drawSoon);
  readBars(document);
  chooseSpan();
  drawTimeline();
}
