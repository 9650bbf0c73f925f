// The timeline: what all sessions did, on one clock. Bars are calls, their colours are kinds, and each leads to its step.

/** What took time, by session and by lane, moment and place. */
const bars = new Map();

const plot = one("#timeline .plot");
const nowButton = document.getElementById("now");
const spans = all("#timeline [data-span]");
const SVG = "http://www.w3.org/2000/svg";
const ROW = 22;
const LANE = 11;
const TOP = 22;
const LEAST_SPAN = 60_000;
const MOST_SPAN = 86_400_000;
let span = 3_600_000;
/** Where the right edge is; nothing while it is now. */
let end = null;

const keyOf = ({ lane, from, anchor }) => `${lane} ${from} ${anchor}`;

function addBars(id, list) {
  const known = bars.get(id) ?? new Map();
  for (const bar of list) known.set(keyOf(bar), bar);
  bars.set(id, known);
}

function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Round steps of time that are about as far apart as labels need. */
const STEPS = [10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600].map((seconds) => seconds * 1000);
const { timeZone } = globalThis.recount;
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", timeZone });
const exactClock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", timeZone });

/** How far the zone of the page is behind UTC, in milliseconds. Swedish dates are in the order that ISO 8601 has. */
function zoneOffset(at) {
  const local = Date.parse(`${new Date(at).toLocaleString("sv-SE", { timeZone })}Z`);
  return Number.isNaN(local) ? new Date(at).getTimezoneOffset() * 60_000 : Math.round((at - local) / 60_000) * 60_000;
}

/** A place on the axis: the room for names, the whole width, and where moments are. */
function axis() {
  const width = Math.max(240, plot.clientWidth - 16);
  const labels = width < 500 ? 92 : 184;
  const right = (end ?? now()) + span / 100;
  const left = right - span;
  return { width, labels, left, right, x: (at) => labels + ((at - left) / span) * (width - labels) };
}

function draw() {
  const { width, labels, left, right, x } = axis();
  const rows = [];
  let y = TOP;
  for (const card of all(".card:not([hidden])")) {
    const id = card.dataset.session;
    const seen = [...(bars.get(id)?.values() ?? [])].filter((bar) => (bar.to ?? right) >= left && bar.from <= right);
    const isWaiting = card.dataset.part === "needs";
    const since = Number(one("[data-since]", card)?.dataset.since);
    if (!seen.length && !(isWaiting && since < right)) continue;
    const lanes = new Map([...new Set(seen.map((bar) => bar.lane))].sort((a, b) => a - b).map((lane, at) => [lane, at]));
    const height = Math.max(ROW, 8 + Math.max(1, lanes.size) * LANE);
    rows.push(...drawSession({ card, seen, lanes, y, height, labels, width, right, x, waits: isWaiting && since }));
    y += height;
  }
  const drawing = svg("svg", { width, height: y, viewBox: `0 0 ${width} ${y}` });
  drawing.append(...grid({ width, labels, left, right, x, bottom: y }), ...rows);
  plot.replaceChildren(drawing);
  // Who looks at a time in which nothing happened finds the way back.
  const hasBars = [...bars.values()].some((known) => known.size);
  one("#timeline").classList.toggle("empty", y === TOP && !hasBars);
  nowButton.hidden = end === null;
}

function drawSession({ card, seen, lanes, y, height, labels, width, right, x, waits }) {
  const parts = [svg("line", { x1: 0, x2: width, y1: y + height - 0.5, y2: y + height - 0.5, class: "rule" })];
  const { textContent: title, href } = one("h3 a", card);
  const most = Math.floor((labels - 10) / 5.9);
  const name = title.length > most ? `${title.slice(0, most - 1).trimEnd()}…` : title;
  const label = svg("text", { x: 0, y: y + 14, class: "label" }, name);
  parts.push(svg("a", { href }, label, svg("title", {}, title)));
  const box = (from, to, more) => {
    const start = Math.max(x(from), labels);
    return { x: start, width: Math.max(2, Math.min(x(to), width) - start), ...more };
  };
  if (waits) {
    const rect = svg("rect", box(waits, end ?? now(), { y: y + 2, height: height - 5, class: "waiting open" }));
    parts.push(svg("a", { href, tabindex: -1 }, rect, svg("title", {}, `waits for you · ${duration(now() - waits)}`)));
  }
  const drawn = new Set();
  for (const bar of seen) {
    const over = bar.to ?? (end ?? now());
    const place = box(bar.from, over, { y: y + 4 + lanes.get(bar.lane) * LANE, height: LANE - 3 });
    // What is too small to see one by one is drawn once.
    const mark = `${bar.lane} ${bar.kind} ${Math.round(place.x / 2)}`;
    if (place.width < 3 && drawn.has(mark)) continue;
    drawn.add(mark);
    const rect = svg("rect", { ...place, rx: 1, class: `bar ${bar.kind}${bar.to === null ? " open" : ""}` });
    const note = svg("title", {}, `${bar.what} · ${duration(over - bar.from)} · ${exactClock.format(bar.from)}`);
    parts.push(svg("a", { href: `${href}#${encodeURIComponent(bar.anchor)}`, tabindex: -1 }, rect, note));
  }
  return parts;
}

function grid({ width, labels, left, right, x, bottom }) {
  const parts = [];
  const step = STEPS.find((step) => (step / span) * (width - labels) > 62) ?? STEPS.at(-1);
  const format = step < 60_000 ? exactClock : clock;
  const offset = zoneOffset(right);
  for (let at = Math.ceil((left - offset) / step) * step + offset; at <= right; at += step) {
    parts.push(svg("line", { x1: x(at), x2: x(at), y1: 17, y2: bottom, class: "grid" }));
    if (x(at) > labels + 16 && x(at) < width - 18) parts.push(svg("text", { x: x(at), y: 12, class: "tick" }, format.format(at)));
  }
  const present = x(end ?? now());
  if (end === null) parts.push(svg("line", { x1: present, x2: present, y1: 17, y2: bottom, class: "present" }));
  return parts;
}

let isPlanned = false;
function drawSoon() {
  if (isPlanned || document.visibilityState === "hidden") return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    draw();
  });
}

// ── zoom and pan ──

function setSpan(next) {
  span = Math.min(MOST_SPAN, Math.max(LEAST_SPAN, next));
  for (const button of spans) button.setAttribute("aria-pressed", Number(button.dataset.span) === span);
  drawSoon();
}

/** As much as it takes to see what happened lately, unless somebody chose. */
function chooseSpan() {
  const chosen = Number(remembered("span"));
  if (chosen >= LEAST_SPAN) return setSpan(chosen);
  const active = all(".card", lists.needs).concat(all(".card", lists.work)).map((card) => card.dataset.session);
  const known = (active.length ? active : [...bars.keys()]).flatMap((id) => [...(bars.get(id)?.values() ?? [])]);
  const first = known.reduce((first, bar) => Math.min(first, bar.from), now());
  const fitting = spans.map((button) => Number(button.dataset.span)).find((choice) => now() - first < choice);
  setSpan(fitting ?? MOST_SPAN);
}

/** Moves by a share of what is seen. */
function pan(share) {
  const next = (end ?? now()) + share * span;
  end = next >= now() ? null : next;
  drawSoon();
}

for (const button of spans) {
  button.addEventListener("click", () => {
    remember("span", button.dataset.span);
    setSpan(Number(button.dataset.span));
  });
}
nowButton.addEventListener("click", () => {
  end = null;
  drawSoon();
});
plot.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey && !event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
    event.preventDefault();
    if (event.ctrlKey) setSpan(span * (event.deltaY > 0 ? 1.25 : 0.8));
    else pan((event.deltaX || event.deltaY) / plot.clientWidth);
  },
  { passive: false },
);
plot.addEventListener("keydown", (event) => {
  const act = {
    ArrowLeft: () => pan(-0.2),
    ArrowRight: () => pan(0.2),
    "+": () => setSpan(span / 2),
    "-": () => setSpan(span * 2),
    Home: () => nowButton.click(),
  }[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
});

let grabbed = null;
let hasMoved = false;
plot.addEventListener("pointerdown", (event) => {
  hasMoved = false;
  if (event.button === 0) grabbed = event.clientX;
});
addEventListener("pointermove", (event) => {
  if (grabbed === null || !event.buttons) return void (grabbed = null);
  if (Math.abs(event.clientX - grabbed) < 3) return;
  hasMoved = true;
  pan((grabbed - event.clientX) / plot.clientWidth);
  grabbed = event.clientX;
});
// Who moved the timeline did not mean the bar that was under the pointer.
plot.addEventListener("click", (event) => hasMoved && event.preventDefault(), { capture: true });
plot.addEventListener("dragstart", (event) => event.preventDefault());
addEventListener("resize", drawSoon);
document.addEventListener("visibilitychange", drawSoon);
