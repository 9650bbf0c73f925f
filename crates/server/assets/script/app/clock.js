// The clock of the board: how long sessions wait and work, updated every second.

import { all, one, setText } from "core/dom.js";
import { runningDuration } from "core/human.js";
import { board, lists } from "./lists.js";

/** Maximum wait that counts, in milliseconds: after that the reader is away. */
const LONGEST_WAIT = 3_600_000;
/** Clocks that differ by less are considered equal, in milliseconds. */
const SAME = 5000;

/** The offset of the server's clock from ours. */
const ahead = Number(board.dataset.at) - Date.now();

/** The current time of the server. */
export const now = () => Date.now() + (Math.abs(ahead) < SAME ? 0 : ahead);

/**
 * @param {number} moment
 * @returns {number} milliseconds
 */
export const since = (moment) => Math.max(0, now() - moment);

export function runClocks() {
  // Today's waits, including open ones.
  const waited = one("[data-waited]");
  if (waited) {
    const waits = all(".card [data-since]", lists.needs).map(({ dataset }) => since(Number(dataset.since)));
    const before = Number(waited.dataset.waited);
    const sum = waits.reduce((sum, wait) => sum + Math.min(LONGEST_WAIT, wait), before);
    setText(waited, runningDuration(sum));
  }
  for (const element of all("[data-since]")) setText(element, runningDuration(since(Number(element.dataset.since))));
}
