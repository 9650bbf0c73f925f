// The timeline and the rail: going to a moment or a turn, and seeing where one is.

const drawing = one(".timeline svg");
const here = drawing && document.createElementNS("http://www.w3.org/2000/svg", "rect");
let currentTurn = 0;

/** The moment at a place of the timeline, which is a thousand wide. */
const momentAt = (x) => between(facts.timeline, x, 0, 1);
/** The place of a moment. */
const placeOf = (moment) => between(facts.timeline, moment, 1, 0);

/** Goes from one column of a table of points to the other. */
function between(points, value, from, to) {
  const next = points.findIndex((point) => point[from] >= value);
  if (next === 0 || points.length < 2) return points[0]?.[to] ?? 0;
  if (next < 0) return points.at(-1)[to];
  const [a, b] = [points[next - 1], points[next]];
  const part = (value - a[from]) / (b[from] - a[from] || 1);
  return a[to] + part * (b[to] - a[to]);
}

/** Goes to what was done at a moment. */
async function goToMoment(moment) {
  const index = facts.turns.findLastIndex(([, started]) => started !== null && started <= moment);
  const turn = facts.turns[Math.max(0, index)];
  if (turn) visit((await stepAt(turn, facts.turns[index + 1], moment)) ?? `turn-${turn[0]}`);
}

/** Steps that have a time. */
const TIMED =
  /<time class="at"[^>]* datetime="([^"]+)"[^>]*>[^<]*<\/time>\s*<\w+ class="step[^>]*? id="([^"]+)"[^>]*>/g;

/** The last step of a turn that has a time before a moment. */
async function stepAt([, , first], next, moment) {
  const last = next?.[2] ?? Infinity;
  const start = next?.[1] ?? Infinity;
  let name = null;
  for (let index = first; index <= last; index++) {
    const chunk = await chunkAt(index);
    if (!chunk) break;
    for (const [tag, time, id] of textOf(chunk).matchAll(TIMED)) {
      const at = Date.parse(time);
      if (at > moment || at >= start) return name;
      const [step] = stepsIn(tag);
      if (step && isShown(step, showsErrorsOnly())) name = id;
    }
  }
  return name;
}

function goToTurn(index) {
  const turn = facts.turns[Math.max(0, Math.min(facts.turns.length - 1, index))];
  if (turn) visit(`turn-${turn[0]}`);
}

const turnIndex = () => Math.max(0, facts.turns.findIndex(([number]) => number === currentTurn));

/** Marks the turn that is read, in the rail and on the timeline. */
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

function markRail(number) {
  const rail = one(".rail");
  for (const item of all("[aria-current]", rail ?? undefined)) item.removeAttribute("aria-current");
  const item = rail && one(`[data-turn="${number}"]`, rail);
  if (!item) return;
  item.setAttribute("aria-current", "true");
  const [frame, box] = [rail.getBoundingClientRect(), item.getBoundingClientRect()];
  if (box.top < frame.top || box.bottom > frame.bottom) rail.scrollTop += box.top - frame.top - frame.height / 2;
}

function markTimeline(number) {
  const started = facts.turns.find(([turn]) => turn === number)?.[1];
  if (!here || started == null) return;
  here.setAttribute("x", String(Math.max(0, Math.min(998, placeOf(started) - 1))));
  drawing.setAttribute("aria-valuenow", String(turnIndex() + 1));
  drawing.setAttribute("aria-valuetext", `turn ${number}, ${inFull.format(started)}`);
}

function setUpTimeline() {
  addEventListener("scroll", followTurn, { passive: true });
  whenShown.push(followTurn);
  followTurn();
  if (!drawing || !facts.turns.length || !facts.timeline.length) return;
  for (const [name, value] of Object.entries({ class: "here", y: "0", width: "3", height: "100%", x: "0" })) {
    here.setAttribute(name, value);
  }
  drawing.append(here);
  const slider = { role: "slider", tabindex: "0", "aria-valuemin": "1", "aria-valuemax": String(facts.turns.length) };
  for (const [name, value] of Object.entries({ ...slider, "aria-valuenow": "1" })) drawing.setAttribute(name, value);
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    goToMoment(momentAt(((event.clientX - box.left) / box.width) * 1000));
  });
  drawing.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -Infinity, End: Infinity, Enter: 0 };
    if (!Object.hasOwn(steps, event.key)) return;
    event.preventDefault();
    const index = turnIndex() + steps[event.key];
    goToTurn(index);
    // Going there took the focus; only Enter is meant to.
    if (event.key !== "Enter") drawing.focus({ preventScroll: true });
  });
}
