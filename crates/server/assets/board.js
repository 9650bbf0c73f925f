// The board: events change cards in place, clocks run on, and the timeline shows all sessions on one clock.

const board = document.getElementById("board");
const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const lists = Object.fromEntries(["needs", "work", "ended"].map((part) => [part, one(`#${part} > ol`)]));

/** What took time, by session and by lane, moment and place. */
const bars = new Map();

// ── time ──

/** How far the clock of the server is ahead of ours. */
let ahead = Number(board.dataset.at) - Date.now();
if (Math.abs(ahead) < 5000) ahead = 0;
const now = () => Date.now() + ahead;

function duration(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d`;
}

function runClocks() {
  for (const element of all("[data-since]")) element.textContent = duration(now() - Number(element.dataset.since));
}

// ── cards ──

const cardOf = (id) => document.getElementById(`s-${id}`);

function parseCard(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
}

/** Puts cards where they belong without touching those that are there already: what is focused stays so. */
function arrange(order) {
  for (const [part, list] of Object.entries(lists)) {
    let place = list.firstElementChild;
    for (const id of order) {
      const card = cardOf(id);
      if (!card || card.dataset.part !== part) continue;
      if (card === place) place = place.nextElementSibling;
      else list.insertBefore(card, place);
    }
  }
  group();
}

let order = all(".card").map((card) => card.dataset.session);

function apply(told) {
  const before = new Set(all(".card", lists.needs).map((card) => card.dataset.session));
  for (const { id, html, bars: newBars } of told.changed) {
    const card = parseCard(html);
    const old = cardOf(id);
    if (old) {
      const isFocused = old.contains(document.activeElement);
      card.hidden = old.hidden;
      old.replaceWith(card);
      if (isFocused) one("a", card)?.focus({ preventScroll: true });
    } else {
      lists[card.dataset.part].append(card);
    }
    addBars(id, newBars);
  }
  for (const id of told.gone) {
    cardOf(id)?.remove();
    bars.delete(id);
  }
  if (told.order) order = told.order;
  arrange(order);
  one("#totals").innerHTML = told.totals;
  one("#notes").innerHTML = told.notes;
  count(told.needs_you);
  filter();
  runClocks();
  drawSoon();
  for (const { id } of told.changed) tellAlerts(cardOf(id));
  const waiting = told.changed.filter(({ id, part }) => part === "needs" && !before.has(id));
  for (const { id } of waiting) tellWaiting(cardOf(id));
}

// ── who waits ──

const icon = document.getElementById("icon");
const plainIcon = icon.href;

function count(needsYou) {
  one("#needs-count").textContent = needsYou;
  document.title = `${needsYou ? `(${needsYou}) ` : ""}Board · recount`;
  icon.href = needsYou ? badge(needsYou) : plainIcon;
}

function badge(number) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 32;
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#b3261e";
  pen.beginPath();
  pen.arc(16, 16, 16, 0, 7);
  pen.fill();
  pen.fillStyle = "#fff";
  pen.font = "bold 20px sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(number > 9 ? "9+" : number, 16, 17);
  return canvas.toDataURL();
}

const notify = document.getElementById("notify");
const wantsNotes = () => notify.getAttribute("aria-pressed") === "true";
/** Sessions that somebody reads in another tab right now. */
const inView = new Map();
const channel = globalThis.BroadcastChannel ? new BroadcastChannel("recount") : null;
channel?.addEventListener("message", ({ data }) => {
  if (data?.reading) inView.set(data.reading, Date.now());
});

if (globalThis.Notification) {
  notify.hidden = false;
  let isWanted = Notification.permission === "granted";
  try {
    isWanted &&= localStorage.getItem("recount-notify") === "yes";
  } catch {
    isWanted = false;
  }
  notify.setAttribute("aria-pressed", isWanted);
  notify.addEventListener("click", async () => {
    const isOn = !wantsNotes() && (await Notification.requestPermission()) === "granted";
    notify.setAttribute("aria-pressed", isOn);
    try {
      localStorage.setItem("recount-notify", isOn ? "yes" : "no");
    } catch {
      // It is asked for again the next time.
    }
  });
}

function tellWaiting(card) {
  if (!card || !wantsNotes()) return;
  const id = card.dataset.session;
  const isInView = Date.now() - (inView.get(id) ?? 0) < 5000;
  if (isInView || (document.visibilityState === "visible" && document.hasFocus())) return;
  const state = one(".state", card)?.textContent ?? "";
  const what = one(".what", card)?.textContent ?? "";
  // The same tag replaces the note: one for each session.
  const note = new Notification(`${one("h3", card)?.textContent} · ${state}`, { body: what, tag: `recount-${id}` });
  note.addEventListener("click", () => {
    focus();
    location.href = `/session/${id}`;
  });
}

/** Alerts that were told, by session: each is told once. */
const toldAlerts = new Map(all(".card").map((card) => [card.dataset.session, alertsOf(card)]));

function alertsOf(card) {
  return new Set(all(".alert", card).map((alert) => alert.textContent));
}

function tellAlerts(card) {
  if (!card) return;
  const id = card.dataset.session;
  const before = toldAlerts.get(id) ?? new Set();
  const alerts = alertsOf(card);
  toldAlerts.set(id, alerts);
  const fresh = [...alerts].filter((alert) => !before.has(alert));
  if (fresh.length && wantsNotes() && !(document.visibilityState === "visible" && document.hasFocus())) {
    new Notification(one("h3", card)?.textContent ?? "recount", { body: fresh.join("\n"), tag: `recount-alert-${id}` });
  }
}

// ── filter and group ──

const filterInput = document.getElementById("filter");
const groupSelect = document.getElementById("group");

function filter() {
  const words = filterInput.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const card of all(".card")) {
    const text = `${card.textContent} ${card.dataset.project} ${card.dataset.state}`.toLowerCase();
    card.hidden = !words.every((word) => text.includes(word));
  }
}

/** By project: those of one project stand together, under its name. */
function group() {
  for (const heading of all("li.group")) heading.remove();
  if (groupSelect.value !== "project") return;
  for (const list of [lists.work, lists.ended]) {
    const byProject = Map.groupBy
      ? Map.groupBy(all(".card", list), (card) => card.dataset.project)
      : all(".card", list).reduce(
          (map, card) => map.set(card.dataset.project, [...(map.get(card.dataset.project) ?? []), card]),
          new Map(),
        );
    for (const [project, cards] of byProject) {
      const heading = document.createElement("li");
      heading.className = "group";
      heading.textContent = project || "elsewhere";
      list.append(heading, ...cards);
    }
  }
}

filterInput.addEventListener("input", () => {
  filter();
  drawSoon();
});
groupSelect.addEventListener("change", () => arrange(order));

// ── keys ──

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input, select, textarea")) return;
  const shown = () => all(".card:not([hidden])");
  if (/^[1-9]$/.test(event.key)) {
    one("h3 a", all(".card:not([hidden])", lists.needs)[Number(event.key) - 1])?.click();
  } else if (event.key === "j" || event.key === "k") {
    const cards = shown();
    const at = cards.findIndex((card) => card.contains(document.activeElement));
    const next = cards[event.key === "j" ? at + 1 : Math.max(0, at - 1)];
    one("h3 a", next ?? cards.at(-1))?.focus();
  } else if (event.key === "f") {
    event.preventDefault();
    filterInput.focus();
  } else if (event.key === "g") {
    groupSelect.value = groupSelect.value === "state" ? "project" : "state";
    arrange(order);
  }
});

// ── the timeline ──

const plot = one("#timeline .plot");
const nowButton = document.getElementById("now");
const SVG = "http://www.w3.org/2000/svg";
const ROW = 18;
const LANE = 10;
const LABELS = 132;
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
const STEPS = [60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600].map((seconds) => seconds * 1000);
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

function draw() {
  const width = Math.max(320, plot.clientWidth);
  const right = end ?? now();
  const left = right - span;
  const x = (at) => LABELS + ((at - left) / span) * (width - LABELS);
  const parts = [];
  let y = 20;
  for (const card of all(".card:not([hidden])")) {
    const id = card.dataset.session;
    const seen = [...(bars.get(id)?.values() ?? [])].filter((bar) => (bar.to ?? right) >= left && bar.from <= right);
    const isWaiting = card.dataset.part === "needs";
    const since = Number(one("[data-since]", card)?.dataset.since);
    if (!seen.length && !(isWaiting && since < right)) continue;
    const lanes = new Map([...new Set(seen.map((bar) => bar.lane))].sort((a, b) => a - b).map((lane, at) => [lane, at]));
    const height = Math.max(ROW, 4 + Math.max(1, lanes.size) * LANE);
    const label = svg("text", { x: 0, y: y + 12, class: "label" }, one("h3", card)?.textContent.slice(0, 20) ?? "");
    parts.push(svg("a", { href: `/session/${id}` }, label));
    parts.push(svg("line", { x1: LABELS, x2: width, y1: y + height, y2: y + height, class: "rule" }));
    if (isWaiting && since) {
      const from = Math.max(x(since), LABELS);
      const box = { x: from, y: y + 1, width: Math.max(2, x(right) - from), height: height - 2, class: "bar waiting" };
      parts.push(svg("rect", box, svg("title", {}, `waits for you · ${duration(right - since)}`)));
    }
    const drawn = new Map();
    for (const bar of seen) {
      const from = Math.max(x(bar.from), LABELS);
      const to = Math.max(from + 2, x(bar.to ?? right));
      // What is too small to see one by one is drawn once.
      const place = `${bar.lane} ${bar.kind} ${Math.round(from / 2)}`;
      if (to - from < 3 && drawn.has(place)) continue;
      drawn.set(place, true);
      const attributes = { x: from, y: y + 3 + lanes.get(bar.lane) * LANE, width: to - from, height: LANE - 3 };
      const rect = svg("rect", { ...attributes, class: `bar ${bar.kind}${bar.to === null ? " open" : ""}` });
      rect.append(svg("title", {}, `${bar.what} · ${duration((bar.to ?? right) - bar.from)}`));
      parts.push(svg("a", { href: `/session/${id}#${bar.anchor}`, tabindex: -1 }, rect));
    }
    y += height + 2;
  }
  const step = STEPS.find((step) => (step / span) * (width - LABELS) > 60) ?? STEPS.at(-1);
  const offset = new Date(right).getTimezoneOffset() * 60_000;
  for (let at = Math.ceil((left - offset) / step) * step + offset; at <= right; at += step) {
    parts.unshift(svg("line", { x1: x(at), x2: x(at), y1: 16, y2: y, class: "grid" }));
    parts.push(svg("text", { x: x(at), y: 11, class: "tick" }, clock.format(at)));
  }
  const drawing = svg("svg", { width, height: y + 2, viewBox: `0 0 ${width} ${y + 2}` }, ...parts);
  plot.replaceChildren(drawing);
  one("#timeline").classList.toggle("empty", y === 20);
  nowButton.hidden = end === null;
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

for (const button of all("#timeline [data-span]")) {
  button.addEventListener("click", () => {
    span = Number(button.dataset.span);
    for (const other of all("#timeline [data-span]")) other.setAttribute("aria-pressed", other === button);
    drawSoon();
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
    if (event.ctrlKey) {
      span = Math.min(86_400_000, Math.max(60_000, span * (event.deltaY > 0 ? 1.25 : 0.8)));
    } else {
      pan((event.deltaX || event.deltaY) / plot.clientWidth);
    }
    drawSoon();
  },
  { passive: false },
);

/** Moves by a share of what is seen. */
function pan(share) {
  const next = (end ?? now()) + share * span;
  end = next >= now() ? null : next;
}

let grabbed = null;
plot.addEventListener("pointerdown", (event) => {
  if (event.button === 0) grabbed = event.clientX;
});
addEventListener("pointermove", (event) => {
  if (grabbed === null || !event.buttons) return void (grabbed = null);
  if (Math.abs(event.clientX - grabbed) < 3) return;
  pan((grabbed - event.clientX) / plot.clientWidth);
  grabbed = event.clientX;
  drawSoon();
});
addEventListener("resize", drawSoon);
document.addEventListener("visibilitychange", drawSoon);

// ── events ──

/** All anew, after a restart of the server or a long absence. */
async function reload() {
  const response = await fetch("/").catch(() => null);
  if (!response?.ok) return false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.getElementById("board");
  if (!fresh) return false;
  board.dataset.event = fresh.dataset.event;
  for (const selector of ["#totals", "#notes"]) one(selector).replaceChildren(...one(selector, fresh).childNodes);
  for (const [part, list] of Object.entries(lists)) {
    list.replaceChildren(...all(`#${part} > ol > li`, fresh).map((card) => document.adoptNode(card)));
  }
  order = all(".card").map((card) => card.dataset.session);
  readBars(page);
  count(lists.needs.childElementCount);
  arrange(order);
  filter();
  runClocks();
  drawSoon();
  return true;
}

function readBars(page) {
  bars.clear();
  for (const [id, list] of JSON.parse(page.getElementById("bars")?.textContent || "[]")) addBars(id, list);
}

let source = null;
function listen() {
  source?.close();
  source = new EventSource(`/events?after=${encodeURIComponent(board.dataset.event)}`);
  source.addEventListener("open", () => (board.dataset.connected = ""));
  source.addEventListener("cards", (event) => {
    board.dataset.event = event.lastEventId;
    apply(JSON.parse(event.data));
  });
  source.addEventListener("reset", async () => {
    // What happens meanwhile is in the page that is fetched, or comes after it.
    source.close();
    while (!(await reload())) await new Promise((resume) => setTimeout(resume, 1000));
    listen();
  });
  source.addEventListener("error", () => {
    delete board.dataset.connected;
    // A browser gives up where the answer is an error; we do not.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  });
}

readBars(document);
count(lists.needs.childElementCount);
runClocks();
draw();
listen();
setInterval(() => {
  runClocks();
  if (end === null) drawSoon();
}, 1000);
