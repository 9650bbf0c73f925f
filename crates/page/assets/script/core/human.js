// Figures, formatted for people. The functions above the line give the same results as the functions of the same names
// in crates/human; a test compares them (crates/browser/tests/scripts/human.rs).

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The moments whose years have at most four digits in every time zone. */
const FIRST_MOMENT = -377_705_023_201_000;
const LAST_MOMENT = 253_402_207_200_000;

/**
 * The page's time zone, if the user chose one that this browser knows; undefined means the reader's.
 *
 * @returns {string | undefined}
 */
function chosenZone() {
  const timeZone = document.documentElement.dataset.zone;
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return timeZone;
  } catch {
    return undefined;
  }
}

const timeZone = chosenZone();

/**
 * A duration: `850 ms`, `1.2 s`, `2 min 10 s`, `1 h 5 min`, `3 d 4 h`.
 *
 * @param {number} millis
 */
export function duration(millis) {
  if (millis < SECOND) return `${millis} ms`;
  if (millis < 10 * SECOND) return `${Math.floor(millis / SECOND)}.${Math.floor((millis % SECOND) / 100)} s`;
  if (millis < MINUTE) return `${Math.floor(millis / SECOND)} s`;
  if (millis < HOUR) return inTwo(millis, MINUTE, "min", SECOND, "s");
  if (millis < DAY) return inTwo(millis, HOUR, "h", MINUTE, "min");
  return inTwo(millis, DAY, "d", HOUR, "h");
}

/**
 * @param {number} millis
 * @param {number} large
 * @param {string} unit
 * @param {number} small
 * @param {string} below
 */
function inTwo(millis, large, unit, small, below) {
  const rest = Math.floor((millis % large) / small);
  return `${Math.floor(millis / large)} ${unit}${rest ? ` ${rest} ${below}` : ""}`;
}

/**
 * A duration that still grows, in whole seconds: `0 s`, `9 s`, `2 min 10 s`.
 *
 * @param {number} millis
 */
export function runningDuration(millis) {
  return millis < 10 * SECOND ? `${Math.floor(millis / SECOND)} s` : duration(millis);
}

/**
 * A number with separators: `1,234,567`.
 *
 * @param {number} number
 */
export function thousands(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * A counted noun: `1 turn`, `2 turns`.
 *
 * @param {number} number
 * @param {string} one
 * @param {string} many
 */
export function counted(number, one, many) {
  return `${thousands(number)} ${number === 1 ? one : many}`;
}

/**
 * The first characters of a text, with `…` if there are more.
 *
 * @param {string} text
 * @param {number} most
 */
export function shortened(text, most) {
  const start = [...text].slice(0, most).join("");
  return start.length < text.length ? `${start.replace(/\p{White_Space}+$/u, "")}…` : text;
}

/**
 * A moment with its year, in the zone of the page: `18 Nov 2026 14:25`; empty if there is none.
 *
 * @param {number} at
 */
export function dateAndTime(at) {
  return inZone(at, (moment) => `${dateOf(moment)} ${clockOf(moment)}`);
}

/**
 * The time of day of a moment, in the zone of the page; empty if there is none.
 *
 * @param {number} at
 */
export function timeOfDay(at) {
  return inZone(at, clockOf);
}

/**
 * The same with seconds.
 *
 * @param {number} at
 */
export function exactTimeOfDay(at) {
  return inZone(at, (moment) => `${clockOf(moment)}:${padded(moment.second)}`);
}

/**
 * @param {number} at
 * @param {(moment: Moment) => string} write
 */
function inZone(at, write) {
  return at >= FIRST_MOMENT && at <= LAST_MOMENT ? write(momentOf(at)) : "";
}

/** @typedef {{ year: number, month: number, day: number, hour: number, minute: number, second: number }} Moment */

/**
 * @param {number} at
 * @returns {Moment}
 */
function momentOf(at) {
  if (timeZone === undefined) {
    const local = new Date(at);
    return {
      year: local.getFullYear(),
      month: local.getMonth(),
      day: local.getDate(),
      hour: local.getHours(),
      minute: local.getMinutes(),
      second: local.getSeconds(),
    };
  }
  const shifted = new Date(at + zoneOffset(at));
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth(),
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    second: shifted.getUTCSeconds(),
  };
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** @param {Moment} moment */
const dateOf = ({ day, month, year }) => `${day} ${MONTHS[month]} ${padded(year, 4)}`;

/** @param {Moment} moment */
const clockOf = ({ hour, minute }) => `${padded(hour)}:${padded(minute)}`;

/**
 * A number with leading zeros. Its sign takes the place of a digit.
 *
 * @param {number} number
 * @param {number} [digits]
 * @returns {string}
 */
function padded(number, digits = 2) {
  return number < 0 ? `-${padded(-number, digits - 1)}` : String(number).padStart(digits, "0");
}

// ── only here: the reader's own language and zone, which only the browser knows ──

/** The year 1000. Earlier, every zone keeps its offset of that year, and some years are hard to format. */
const EARLIEST = -30_610_224_000_000;

const fieldsFormat = new Intl.DateTimeFormat("en", {
  calendar: "gregory",
  day: "numeric",
  hour: "numeric",
  hourCycle: "h23",
  minute: "numeric",
  month: "numeric",
  second: "numeric",
  timeZone,
  year: "numeric",
});

/**
 * The offset of the page's zone from UTC at a moment, in milliseconds.
 *
 * @param {number} at
 */
export function zoneOffset(at) {
  const moment = Math.max(EARLIEST, Math.floor(at / SECOND) * SECOND);
  const fields = Object.fromEntries(fieldsFormat.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
  return Date.UTC(year, month - 1, day, hour, minute, second) - moment;
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["year", 365 * DAY],
  ["month", 30 * DAY],
  ["week", 7 * DAY],
  ["day", DAY],
  ["hour", HOUR],
];

const inFullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long", timeZone });
const agoFormat = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const shortAgoFormat = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "narrow" });

/**
 * A moment in full, for a tooltip.
 *
 * @param {number} at
 */
export const inFull = (at) => inFullFormat.format(at);

/**
 * How long ago a moment was: `3 hours ago`, or `3h ago`.
 *
 * @param {number} at
 * @param {boolean} isShort
 */
export function ago(at, isShort) {
  const passed = at - Date.now();
  const [unit, length] = UNITS.find(([, length]) => Math.abs(passed) >= length) ?? ["minute", MINUTE];
  return (isShort ? shortAgoFormat : agoFormat).format(Math.trunc(passed / length), unit);
}
