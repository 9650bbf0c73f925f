// The board: events update cards in place, clocks run, and the timeline shows all sessions on one time axis.

import "./start.js";
import { askText, isSignedOut } from "core/ask.js";
import { all, need } from "core/dom.js";
import { pause } from "core/pace.js";
import { applyChange, arrange, readOrder, showAsked } from "./cards.js";
import { runClocks } from "./clock.js";
import { filterCards, setUpFilter } from "./filter.js";
import { board, lists } from "./lists.js";
import { drawSoon, followClock, readBars, setUpTimeline } from "./timeline.js";
import { notifyOfWaits, setUpWaits, showCount } from "./waits.js";

/** Delay before a server that refuses is asked again, in milliseconds. */
const BEFORE_RETRY = 2000;

/** Reloads everything, after a restart of the server or a long absence; returns whether that succeeded. */
async function reload() {
  const text = await askText("/");
  if (text === null) return false;
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.getElementById("board");
  if (!fresh) return false;
  board.dataset.event = fresh.dataset.event;
  for (const selector of ["#totals", "#notes"]) need(selector).replaceChildren(...need(selector, fresh).childNodes);
  for (const [part, list] of Object.entries(lists)) {
    list.replaceChildren(...all(`#${part} > ol > li`, fresh).map((card) => document.adoptNode(card)));
  }
  readOrder();
  readBars(page);
  showCards();
  filterCards();
  drawSoon();
  notifyOfWaits();
  return true;
}

function showCards() {
  all(".card", lists.needs).forEach(showAsked);
  showCount(lists.needs.childElementCount);
  arrange();
  runClocks();
}

/**
 * Whether this board sends notifications. Browsers limit connections per host: of several hidden boards, one keeps
 * listening, since it may have to notify you.
 */
let isCaller = !navigator.locks;

const mayListen = () => isCaller || document.visibilityState !== "hidden";

/** @type {EventSource | null} */
let source = null;

function listen() {
  source?.close();
  source = null;
  if (!mayListen()) return;
  const opened = new EventSource(`/events?after=${encodeURIComponent(board.dataset.event ?? "")}`);
  source = opened;
  opened.addEventListener("open", () => (board.dataset.connected = ""));
  opened.addEventListener("cards", (event) => {
    board.dataset.event = event.lastEventId;
    applyChange(JSON.parse(event.data));
  });
  opened.addEventListener("reset", async () => {
    // Events in the meantime are in the fetched page, or come after it.
    opened.close();
    while (!(await reload())) await pause(1000);
    listen();
  });
  opened.addEventListener("error", () => {
    delete board.dataset.connected;
    // Browsers give up after an error response; this retries.
    if (opened !== source || opened.readyState !== EventSource.CLOSED) return;
    noteSignOut();
    setTimeout(listen, BEFORE_RETRY);
  });
}

/** Says how to sign in again; the board then continues by itself. */
async function noteSignOut() {
  if (!(await isSignedOut())) return;
  const note = document.createElement("p");
  note.className = "note";
  note.textContent = "This browser is signed out. Open the address that `recount serve` printed.";
  need("#notes").replaceChildren(note);
}

setUpWaits();
setUpFilter();
showCards();
setUpTimeline();
listen();
navigator.locks?.request("recount-board", () => {
  isCaller = true;
  if (!source) listen();
  // Held for as long as the page is open.
  return new Promise(() => {});
});
document.addEventListener("visibilitychange", () => {
  if (Boolean(source) !== mayListen()) listen();
});
setInterval(() => {
  runClocks();
  followClock();
}, 1000);
