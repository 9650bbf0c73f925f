// The clock of the board: how long sessions wait and work, counted on every second.

import { all, one, setText } from "core/dom.js";
import { runningDuration } from "core/human.js";
import { board, lists } from "./lists.js";

/** A wait counts for no longer than this, in milliseconds: then the reader is away. */
const LONGEST_WAIT = 3_600_000;
/** Clocks that differ by less than this are the same, in milliseconds. */
const SAME = 5000;

/** How far the clock of the server is ahead of ours. */
const ahead = Number(board.dataset.at) - Date.now();

/** The moment by the clock of the server. */
export const now = () => Date.now() + (Math.abs(ahead) < SAME ? 0 : ahead);

/**
 * @param {number} moment
 * @returns {number} milliseconds
 */
export const since = (moment) => Math.max(0, now() - moment);

export function runClocks() {
  // Today's waits, with those that go on.
  const waited = one("[data-waited]");
  if (waited) {
    const waits = all(".card [data-since]", lists.needs).map(({ dataset }) => since(Number(dataset.since)));
    const before = Number(waited.dataset.waited);
    const sum = waits.reduce((sum, wait) => sum + Math.min(LONGEST_WAIT, wait), before);
    setText(waited, runningDuration(sum));
  }
  for (const element of all("[data-since]")) setText(element, runningDuration(since(Number(element.dataset.since))));
}
