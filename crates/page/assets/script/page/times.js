// Times: in the zone that the user chose, else in that of the reader; exact or relative.

import { one } from "core/dom.js";
import { ago, dateAndTime, timeOfDay } from "core/human.js";
import { showLocalTimes } from "core/times.js";
import { makeButton, onShown } from "./page.js";
import { keepPlace } from "./view.js";

const RECENT = 30 * 24 * 3600e3;

/**
 * How times are shown: initially the head shows recent times as relative, and everything else is exact.
 * @type {"mixed" | "relative" | "exact"}
 */
let timeStyle = "mixed";

/**
 * @param {number} at
 * @param {HTMLTimeElement} time
 */
function written(at, time) {
  const isSmall = time.matches(".at");
  const isRecent = time.closest(".head") !== null && Math.abs(Date.now() - at) < RECENT;
  if (timeStyle === "relative" || (timeStyle === "mixed" && isRecent)) return ago(at, isSmall);
  return isSmall ? timeOfDay(at) : dateAndTime(at);
}

/** @param {ParentNode} [within] */
const showTimes = (within = document) => showLocalTimes(within, written);

const timesButton = makeButton("times", "ago", { "aria-pressed": "false", title: "tell how long ago it was" });

export function toggleTimes() {
  timeStyle = timeStyle === "relative" ? "exact" : "relative";
  timesButton.setAttribute("aria-pressed", String(timeStyle === "relative"));
  keepPlace(showTimes);
}

export function setUpTimes() {
  one('.head [data-fact="when"] dd')?.append(" ", timesButton);
  showTimes();
  onShown(showTimes);
  setInterval(() => {
    if (timeStyle !== "exact" && !document.hidden) showTimes();
  }, 60e3);
}
