// Moments, shown in the zone that the user chose, else in that of the reader.

import { all, setText } from "core/dom.js";
import { dateAndTime, inFull } from "core/human.js";

/**
 * Shows the moments within an element, formatted by `write`.
 *
 * @param {ParentNode} within
 * @param {(at: number, time: HTMLTimeElement) => string} [write]
 */
export function showLocalTimes(within, write = dateAndTime) {
  for (const time of /** @type {HTMLTimeElement[]} */ (all("time[datetime]", within))) {
    const at = Date.parse(time.dateTime);
    if (Number.isNaN(at)) continue;
    setText(time, write(at, time));
    if (!time.title) time.title = inFull(at);
  }
}
