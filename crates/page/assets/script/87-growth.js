// Growth: a page from a server is told when its session goes on. What changed is asked for, and put in place step by
// step: what is being read stays where it is, open folds stay open, and who is at the end may stay there.

/** Changes that come close together are asked for together, in milliseconds. */
const BETWEEN_LOOKS = 120;
/** Who is this near to the end is there, in pixels. */
const END = 120;

/** Where the session is on the server, and its id. */
const home = grows ? location.pathname.replace(/\/$/, "") : "";
const session = decodeURIComponent(home.split("/").at(-1));
const followButton = makeButton("follow", "follow", { "aria-pressed": "false", title: "go to the end, and stay there (F)" });
const unseenButton = makeButton("end", "", { class: "growth", hidden: "" });

let isFollowing = false;
let unseen = 0;
/** How many steps the conversation has. */
let steps = null;
let isLooking = false;
let looksAgain = false;

/** What the server says, or nothing if it does not, or is cut off. */
async function ask(place) {
  try {
    const response = await fetch(`${home}/${place}`);
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** A window as the server tells it: the one piece of a part. */
async function fetchWindow(name) {
  const piece = await ask(`window/${name}`);
  return piece ? [piece] : [];
}

function setUpGrowth() {
  if (!grows) return;
  document.body.append(unseenButton);
  toolbar?.append(followButton);
  actions.end = () => follow(true);
  actions.follow = keys.F = () => follow(!isFollowing);
  addEventListener("scroll", eachFrame(noteScroll), { passive: true });
  listen(facts.event);
  setInterval(sayReading, 2000);
  sayReading();
  look();
}

/** Listens for what happens to the session. A browser comes back by itself, with the event that it saw last. */
function listen(event) {
  // A browser keeps few connections to one place. Who cannot be seen has none, and looks when that is over.
  if (document.visibilityState === "hidden") {
    document.addEventListener("visibilitychange", () => listen(event), { once: true });
    return;
  }
  const source = new EventSource(`/events?session=${encodeURIComponent(session)}&after=${encodeURIComponent(event)}`);
  let last = event;
  const leave = () => {
    if (document.visibilityState !== "hidden") return;
    document.removeEventListener("visibilitychange", leave);
    source.close();
    listen(last);
  };
  document.addEventListener("visibilitychange", leave);
  source.addEventListener("open", () => (root.dataset.live = ""));
  for (const name of ["session", "reset"]) source.addEventListener(name, ({ lastEventId }) => (last = lastEventId));
  source.addEventListener("session", look);
  // The server is another one, or something was missed: all of it is looked at.
  source.addEventListener("reset", look);
  source.addEventListener("error", () => {
    delete root.dataset.live;
    if (source.readyState !== EventSource.CLOSED) return;
    document.removeEventListener("visibilitychange", leave);
    setTimeout(listen, 2000, "");
  });
}

/** Tells the board that this session is in view, so that it need not call for somebody who is here. */
const channel = grows && globalThis.BroadcastChannel ? new BroadcastChannel("recount") : null;
function sayReading() {
  if (document.visibilityState === "visible" && document.hasFocus()) channel?.postMessage({ reading: session });
}

async function look() {
  if (isLooking) return void (looksAgain = true);
  isLooking = true;
  do {
    looksAgain = false;
    const growth = await ask("growth");
    if (growth) await grow(growth);
    await new Promise((resume) => setTimeout(resume, BETWEEN_LOOKS));
  } while (looksAgain);
  isLooking = false;
}

async function grow({ windows, threads, turns, rail, head, title }) {
  facts.turns = turns;
  for (const [name, opening] of threads) if (!document.getElementById(name)) addThread(name, opening);
  const places = new Map(all("[data-window], .part").map((element) => [nameOf(element), element]));
  let before = null;
  for (const window of windows) {
    const place = places.get(window.name);
    places.delete(window.name);
    if (!place) before = addWindow(window, before);
    else {
      before = place;
      if (place.dataset.mark !== window.mark) await renewWindow(place, window);
    }
  }
  for (const element of places.values()) removeWindow(element);
  // The server answers again.
  chunks.filter(({ isLost }) => isLost).forEach(retry);
  renewAround(rail, head, title);
  const count = windows.reduce((sum, { within, count }) => sum + (within === "conversation" ? count : 0), 0);
  if (steps !== null && count > steps) noteNew(count - steps);
  steps = count;
}

const nameOf = (element) => element.dataset.window ?? element.dataset.part;

function addThread(name, opening) {
  let threads = one("section.threads");
  if (!threads) {
    threads = make("section", { class: "threads", "aria-label": "Agents and branches" });
    one("#conversation").after(threads);
  }
  const template = document.createElement("template");
  template.innerHTML = `${opening}</section>`;
  threads.append(template.content);
}

/** What stands for a window that is new. It comes after the one before it in its thread, or last. */
function addWindow({ name, within, mark, rows, turns }, before) {
  const element = make("div", { class: "part", "data-part": name, "data-within": within, "data-chunks": "1" });
  describe(element, { mark, rows, turns });
  const parent = document.getElementById(within);
  const follows = before && before.parentElement === parent;
  if (follows) before.after(element);
  else parent?.append(element);
  const chunk = addChunk(element, document.createElement("noscript"), name);
  const at = follows ? chunks.indexOf(chunkByElement.get(before)) + 1 : chunks.length;
  chunks.splice(at, 0, chunk);
  loads.delete(name);
  estimate(chunk);
  if (nearness) nearness.observe(element);
  else loadPart(name);
  return element;
}

function describe(element, { mark, rows, turns }) {
  element.dataset.mark = mark;
  element.dataset.rows = rows;
  if (turns) element.dataset.turns = turns.join("-");
}

function removeWindow(element) {
  const chunk = chunkByElement.get(element);
  if (chunk?.isFilled) empty(chunk);
  nearness?.unobserve(element);
  chunks.splice(chunks.indexOf(chunk), 1);
  loads.delete(nameOf(element));
  element.remove();
}

async function renewWindow(element, window) {
  const chunk = chunkByElement.get(element);
  if (chunk.file) return describe(element, window);
  const [piece] = await fetchWindow(window.name);
  // It may have been taken out meanwhile.
  if (!piece || !element.isConnected) return;
  describe(element, window);
  const old = markupById(chunk);
  chunk.source.textContent = piece.text;
  if (!chunk.isFilled) return estimate(chunk);
  const { content, folds } = parse(chunk);
  const fresh = new Map(all("[id]", content).map((step) => [step.id, step.outerHTML]));
  const isSame = (id) => id && old.get(id) === fresh.get(id);
  chunk.isTrimmed = trim(content);
  settleFolds(chunk, folds, content);
  merge(chunk.element, content, isSame);
}

/** The markup of each step of a chunk, as it came. */
function markupById(chunk) {
  const template = document.createElement("template");
  template.innerHTML = textOf(chunk);
  return new Map(all("[id]", template.content).map((step) => [step.id, step.outerHTML]));
}

/** Makes the children of an element those of another one, and keeps those that say the same. */
function merge(element, content, isSame) {
  let place = element.firstElementChild;
  for (const next of [...content.children]) {
    const old = next.id ? [...element.children].find(({ id }) => id === next.id) : place && isAlike(place, next) && place;
    if (old && next.matches("section.turn")) {
      merge(old, next, isSame);
      copyAttributes(old, next);
    }
    const kept = old && (next.matches("section.turn") || isSame(next.id) || !next.id) ? old : prepared(next);
    if (kept !== place) element.insertBefore(kept, place);
    else place = place.nextElementSibling;
    if (old && old !== kept) {
      if (old === place) place = place.nextElementSibling;
      old.remove();
    }
  }
  while (place) {
    const next = place.nextElementSibling;
    place.remove();
    place = next;
  }
}

/** Whether two elements without names are the same: a heading, a moment, the rest of a turn. */
function isAlike(one, other) {
  const key = ({ tagName, className, dataset }) => [tagName, className, dataset.turn, dataset.level].join();
  const moment = (element) => element.querySelector("time")?.dateTime;
  const isHeading = /^H\d$/.test(one.tagName);
  const isOther = one.id || key(one) !== key(other) || moment(one) !== moment(other);
  return !isOther && !(isHeading && one.textContent !== other.textContent);
}

function copyAttributes(to, from) {
  for (const { name, value } of [...from.attributes]) to.setAttribute(name, value);
}

/** A new element, as the rest of the script wants elements to be. */
function prepared(element) {
  const around = make("div", {}, element);
  for (const shown of whenShown) shown(around);
  return around.firstElementChild ?? element;
}

/** The outline and the head. Where one is in the outline stays marked. */
function renewAround(rail, head, title) {
  document.title = `${title} · recount`;
  for (const [selector, markup] of [[".rail", rail], ["header.head", head]]) {
    const old = one(selector);
    if (!old || lastMarkup.get(selector) === markup) continue;
    const isFirst = !lastMarkup.has(selector);
    lastMarkup.set(selector, markup);
    // What the page came with is the same.
    if (isFirst) continue;
    const template = document.createElement("template");
    template.innerHTML = markup;
    const fresh = template.content.firstElementChild;
    const scroll = old.scrollTop;
    for (const shown of whenShown) shown(fresh);
    old.replaceChildren(...fresh.childNodes);
    old.scrollTop = scroll;
  }
}
const lastMarkup = new Map();

// ── following ──

const isAtEnd = () => scrollY + innerHeight >= root.scrollHeight - END;

/** Goes to the end, and stays there while the session goes on. */
function follow(isWanted) {
  isFollowing = isWanted;
  if (isFollowing) stayAtEnd();
  showUnseen();
  say(isFollowing ? "following" : "not following");
}

function stayAtEnd() {
  unseen = 0;
  const windows = all("#conversation > .chunk, #conversation > .part");
  windows.at(-1)?.scrollIntoView({ block: "end" });
  lastScroll = scrollY;
}

let lastScroll = 0;
function noteScroll() {
  // Who scrolls back wants to read.
  if (isFollowing && scrollY < lastScroll - 4 && !isAtEnd()) isFollowing = false;
  lastScroll = scrollY;
  const last = all("#conversation > .chunk, #conversation > .part").at(-1);
  if (last && last.getBoundingClientRect().bottom <= innerHeight + END) unseen = 0;
  showUnseen();
}

function noteNew(count) {
  unseen += count;
  if (isFollowing) requestAnimationFrame(() => setTimeout(stayAtEnd, 30));
  else requestAnimationFrame(noteScroll);
}

function showUnseen() {
  followButton.setAttribute("aria-pressed", isFollowing);
  unseenButton.hidden = isFollowing || unseen === 0;
  unseenButton.textContent = unseen === 1 ? "1 new step ↓" : `${unseen} new steps ↓`;
}
