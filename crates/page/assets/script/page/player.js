// The player: the session as it happened. Later steps are hidden until their time (page.css).

import { closest, make, one, root } from "core/dom.js";
import { hasModifier, isInField } from "core/keys.js";
import { walk } from "./keys.js";
import { facts } from "./page.js";
import { loaded } from "./parts.js";
import { current, goTo, nextStep, nextTurn } from "./places.js";
import { goToMoment, momentAt, placeOf } from "./timeline.js";

/** Maximum pause, in milliseconds. */
const LONGEST_PAUSE = 2000;
const SPEEDS = [1, 2, 5, 10, 50];

const playButton = make("button", { type: "button" }, "play");
const scrubber = make("input", { type: "range", min: 0, max: 1000, value: 0, "aria-label": "Moment" });
/** @type {HTMLElement | null} */
let playerBar = null;
let isPlaying = false;
let playSpeed = 1;
let playTimer = 0;

/**
 * The time of a step; NaN if it is unknown.
 *
 * @param {Element | null} step
 */
function timeOf(step) {
  const time = step?.previousElementSibling;
  return time instanceof HTMLTimeElement && time.matches(".at") ? Date.parse(time.dateTime) : NaN;
}

const isPlayerOpen = () => root.dataset.playing !== undefined;

function makePlayer() {
  const button = (/** @type {string} */ words, /** @type {string} */ label, /** @type {() => void} */ action) => {
    const made = make("button", { type: "button", ...(label && { "aria-label": label }) }, words);
    made.addEventListener("click", action);
    return made;
  };
  playButton.addEventListener("click", () => setPlaying(!isPlaying));
  const speeds = make("select", { "aria-label": "Speed" });
  for (const speed of SPEEDS) speeds.add(new Option(`${speed}×`, String(speed)));
  speeds.addEventListener("change", () => {
    playSpeed = Number(speeds.value);
    schedule();
  });
  scrubber.disabled = !facts.timeline.length;
  scrubber.addEventListener("change", () => scrub(Number(scrubber.value)));
  return make(
    "div",
    { class: "player", role: "group", "aria-label": "Player" },
    playButton,
    button("‹", "Previous turn", () => playTurn(-1)),
    button("›", "Next turn", () => playTurn(1)),
    button("step", "", playStep),
    speeds,
    scrubber,
    button("close", "", closePlayer),
  );
}

/** Opens the player at the current place, or at the beginning; closes it if it is open. */
export function togglePlayer() {
  if (isPlayerOpen()) return closePlayer();
  playerBar ??= makePlayer();
  document.body.append(playerBar);
  root.dataset.playing = "";
  if (!current?.matches(".step")) playStep();
  else showMoment(current);
  playButton.focus({ preventScroll: true });
}

function closePlayer() {
  setPlaying(false);
  delete root.dataset.playing;
  playerBar?.remove();
}

/** @param {boolean} isWanted */
function setPlaying(isWanted) {
  isPlaying = isWanted;
  playButton.textContent = isPlaying ? "pause" : "play";
  schedule();
}

/** The next step, which may have to be loaded. */
const comingStep = () => loaded(() => nextStep(1));

/** Schedules the next step. */
async function schedule() {
  clearTimeout(playTimer);
  if (!isPlaying) return;
  const next = await comingStep();
  if (!next) return setPlaying(false);
  const gap = timeOf(next) - timeOf(current);
  const wait = Number.isFinite(gap) ? Math.min(Math.max(0, gap) / playSpeed, LONGEST_PAUSE) : 0;
  clearTimeout(playTimer);
  playTimer = setTimeout(async () => {
    await playStep();
    schedule();
  }, wait);
}

/** Shows the next step. */
async function playStep() {
  const next = await comingStep();
  if (!next) return setPlaying(false);
  goTo(next, { focus: false, scroll: "nearest" });
  showMoment(next);
}

/**
 * Goes to the next turn; or to the beginning of this one, and from there to the previous.
 *
 * @param {number} direction
 */
async function playTurn(direction) {
  const turn = current?.closest(".turn");
  if (direction < 0 && turn && one(".step", turn) === current) await walk(nextTurn, direction);
  await walk(nextTurn, direction);
  await playStep();
  playButton.focus({ preventScroll: true });
  schedule();
}

/**
 * Goes to a position on the timeline.
 *
 * @param {number} place
 */
async function scrub(place) {
  await goToMoment(momentAt(place));
  if (!current?.matches(".step")) await playStep();
  scrubber.focus({ preventScroll: true });
  schedule();
}

/** @param {Element} step */
function showMoment(step) {
  const time = timeOf(step);
  if (Number.isFinite(time) && facts.timeline.length) scrubber.value = String(placeOf(time));
}

/** @type {Record<string, () => void>} */
const playerKeys = {
  " ": () => setPlaying(!isPlaying),
  ".": () => {
    setPlaying(false);
    playStep();
  },
  ArrowLeft: () => playTurn(-1),
  ArrowRight: () => playTurn(1),
  Escape: closePlayer,
};

/** @param {KeyboardEvent} event */
function playerPressed(event) {
  if (!isPlayerOpen() || hasModifier(event) || one("dialog[open]")) return;
  // Buttons keep their own keys, and fields are for typing.
  const isLeaving = event.key === "Escape" && closest(event, ".player");
  const isForButton = event.key === " " && event.target instanceof Element && event.target.matches("button, summary");
  if ((isInField(event) && !isLeaving) || isForButton || !Object.hasOwn(playerKeys, event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  playerKeys[event.key]?.();
}

export function setUpPlayer() {
  // Before all other keys, while the player is open.
  document.addEventListener("keydown", playerPressed, { capture: true });
}
