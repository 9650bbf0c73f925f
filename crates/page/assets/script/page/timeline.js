// The timeline and the rail: going to a moment or a turn, and marking the current one.

import { all, makeSvg, one, setAttributes } from "core/dom.js";
import { inFull } from "core/human.js";
import { eachFrame } from "core/pace.js";
import { visit } from "./address.js";
import { textOf } from "./chunks.js";
import { facts, onShown } from "./page.js";
import { chunkAt } from "./parts.js";
import { barHeight } from "./places.js";
import { isShown, showsErrorsOnly, stepsIn } from "./view.js";

/** @import { TimelinePoint, Turn } from "./page.js" */

/** The distance of each key, in turns. */
const STRIDES = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -Infinity, End: Infinity, Enter: 0 };

/** Steps that have a time. */
const TIMED =
  /<time class="at"[^>]* datetime="([^"]+)"[^>]*>[^<]*<\/time>\s*<\w+ class="step[^>]*? id="([^"]+)"[^>]*>/g;

/** @type {SVGElement | null} */
const drawing = one(".timeline svg");
const hereMark = makeSvg("rect", { class: "here", y: "0", width: "3", height: "100%", x: "0" });
let currentTurn = 0;

/**
 * The moment at a position on the timeline, which is a thousand units wide.
 *
 * @param {number} x
 */
export const momentAt = (x) => between(facts.timeline, x, 0, 1);

/**
 * The position of a moment.
 *
 * @param {number} moment
 */
export const placeOf = (moment) => between(facts.timeline, moment, 1, 0);

/**
 * Interpolates from one column of a table of points to the other.
 *
 * @param {TimelinePoint[]} points
 * @param {number} value
 * @param {0 | 1} from
 * @param {0 | 1} to
 */
function between(points, value, from, to) {
  const index = points.findIndex((point) => point[from] >= value);
  const next = points.at(index);
  const before = points[index - 1];
  // Before the first point, or after the last.
  if (!next || !before || index < 0) return next?.[to] ?? 0;
  const part = (value - before[from]) / (next[from] - before[from] || 1);
  return before[to] + part * (next[to] - before[to]);
}

/**
 * Goes to the step at a moment.
 *
 * @param {number} moment
 */
export async function goToMoment(moment) {
  const index = facts.turns.findLastIndex(([, started]) => started !== null && started <= moment);
  const turn = facts.turns[Math.max(0, index)];
  if (turn) visit((await stepAt(turn, facts.turns[index + 1], moment)) ?? `turn-${turn[0]}`);
}

/**
 * The last step of a turn with a time before a moment.
 *
 * @param {Turn} turn
 * @param {Turn | undefined} next
 * @param {number} moment
 */
async function stepAt([, , first], next, moment) {
  const last = next?.[2] ?? Infinity;
  const start = next?.[1] ?? Infinity;
  let name = null;
  for (let index = first; index <= last; index++) {
    const chunk = await chunkAt(index);
    if (!chunk) break;
    for (const [tag, time = "", id = ""] of textOf(chunk).matchAll(TIMED)) {
      const at = Date.parse(time);
      if (at > moment || at >= start) return name;
      const [step] = stepsIn(tag);
      if (step && isShown(step, showsErrorsOnly())) name = id;
    }
  }
  return name;
}

/** @param {number} index */
function goToTurn(index) {
  const turn = facts.turns[Math.max(0, Math.min(facts.turns.length - 1, index))];
  if (turn) visit(`turn-${turn[0]}`);
}

const turnIndex = () =>
  Math.max(
    0,
    facts.turns.findIndex(([number]) => number === currentTurn),
  );

/** Marks the current turn in the rail and on the timeline. */
const followTurn = eachFrame(() => {
  const line = barHeight() + 80;
  const turns = all("#conversation > .chunk > .turn");
  const turn = turns.findLast((turn) => turn.getBoundingClientRect().top <= line) ?? turns[0];
  const number = Number(turn?.dataset.turn ?? 0);
  if (!number || number === currentTurn) return;
  currentTurn = number;
  markRail(number);
  markTimeline(number);
});

/** @param {number} number */
function markRail(number) {
  const rail = one(".rail");
  if (!rail) return;
  for (const item of all("[aria-current]", rail)) item.removeAttribute("aria-current");
  const item = one(`[data-turn="${number}"]`, rail);
  if (!item) return;
  item.setAttribute("aria-current", "true");
  const [frame, box] = [rail.getBoundingClientRect(), item.getBoundingClientRect()];
  if (box.top < frame.top || box.bottom > frame.bottom) rail.scrollTop += box.top - frame.top - frame.height / 2;
}

/** @param {number} number */
function markTimeline(number) {
  const started = facts.turns.find(([turn]) => turn === number)?.[1];
  if (!drawing || started === null || started === undefined) return;
  hereMark.setAttribute("x", String(Math.max(0, Math.min(998, placeOf(started) - 1))));
  setAttributes(drawing, {
    "aria-valuenow": turnIndex() + 1,
    "aria-valuetext": `turn ${number}, ${inFull(started)}`,
  });
}

export function setUpTimeline() {
  addEventListener("scroll", followTurn, { passive: true });
  onShown(followTurn);
  followTurn();
  if (!drawing || !facts.turns.length || !facts.timeline.length) return;
  drawing.append(hereMark);
  const range = { "aria-valuemin": 1, "aria-valuemax": facts.turns.length, "aria-valuenow": 1 };
  setAttributes(drawing, { role: "slider", tabindex: 0, ...range });
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    goToMoment(momentAt(((event.clientX - box.left) / box.width) * 1000));
  });
  drawing.addEventListener("keydown", (event) => {
    if (!Object.hasOwn(STRIDES, event.key)) return;
    event.preventDefault();
    goToTurn(turnIndex() + STRIDES[/** @type {keyof typeof STRIDES} */ (event.key)]);
    // Going there took the focus, which only Enter should do.
    if (event.key !== "Enter") drawing.focus({ preventScroll: true });
  });
}
