// The board: events change cards in place, clocks run on, and the timeline shows all sessions on one clock. The files of
// this folder are one module, in the order of their names.

const board = document.getElementById("board");
const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/** What somebody chose is remembered as on all pages. */
const { remembered, remember } = globalThis.recount;

/** What the server says, or nothing if it does not, or is cut off. */
async function textAt(address) {
  try {
    const response = await fetch(address);
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

// ── time ──

/** How far the clock of the server is ahead of ours. */
let ahead = Number(board.dataset.at) - Date.now();
if (Math.abs(ahead) < 5000) ahead = 0;
const now = () => Date.now() + ahead;

function duration(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return `${minutes} min ${seconds % 60} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d`;
}

/** Nobody is waited for longer than this at a time, in milliseconds: then somebody is away. */
const LONGEST_WAIT = 3_600_000;

function runClocks() {
  // Today's waits, with those that go on.
  const waited = one("[data-waited]");
  const waits = all(".card [data-since]", lists.needs).map(({ dataset }) => Math.min(LONGEST_WAIT, now() - Number(dataset.since)));
  const sum = waits.reduce((sum, wait) => sum + Math.max(0, wait), Number(waited?.dataset.waited ?? 0));
  if (waited && waited.textContent !== duration(sum)) waited.textContent = duration(sum);
  for (const element of all("[data-since]")) {
    const text = duration(now() - Number(element.dataset.since));
    if (element.textContent !== text) element.textContent = text;
  }
}
