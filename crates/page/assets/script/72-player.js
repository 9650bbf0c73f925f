// The player: the session as it happened. What comes later is hidden until its time has come (page.css).

/** Nothing is waited for longer, in milliseconds. */
const LONGEST_PAUSE = 2000;
const SPEEDS = [1, 2, 5, 10, 50];

const player = { bar: null, scrubber: null, toggle: null, isPlaying: false, speed: SPEEDS[0], timer: 0 };

/** When a step was done; not a number if nobody knows. */
function timeOf(step) {
  const time = step?.previousElementSibling;
  return time?.matches("time.at") ? Date.parse(time.dateTime) : NaN;
}

const isPlayerOpen = () => root.dataset.playing !== undefined;

function makePlayer() {
  const bar = document.createElement("div");
  bar.className = "player";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Player");
  const button = (words, label, action) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = words;
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", action);
    bar.append(made);
    return made;
  };
  player.toggle = button("play", "", () => setPlaying(!player.isPlaying));
  button("‹", "Previous turn", () => playTurn(-1));
  button("›", "Next turn", () => playTurn(1));
  button("step", "", () => playStep());
  const speeds = document.createElement("select");
  speeds.setAttribute("aria-label", "Speed");
  for (const speed of SPEEDS) speeds.add(new Option(`${speed}×`, String(speed)));
  speeds.addEventListener("change", () => {
    player.speed = Number(speeds.value);
    schedule();
  });
  const scrubber = document.createElement("input");
  for (const [name, value] of Object.entries({ type: "range", min: "0", max: "1000", value: "0" })) {
    scrubber.setAttribute(name, value);
  }
  scrubber.setAttribute("aria-label", "Moment");
  scrubber.disabled = !facts.timeline.length;
  scrubber.addEventListener("change", () => scrub(Number(scrubber.value)));
  bar.append(speeds, scrubber);
  button("close", "", closePlayer);
  player.scrubber = scrubber;
  return bar;
}

/** Opens the player where the reader is, or at the beginning. */
function openPlayer() {
  if (isPlayerOpen()) return closePlayer();
  player.bar ??= makePlayer();
  document.body.append(player.bar);
  root.dataset.playing = "";
  if (!current?.matches(".step")) playStep();
  else showMoment(current);
  player.toggle.focus({ preventScroll: true });
}

function closePlayer() {
  setPlaying(false);
  delete root.dataset.playing;
  player.bar?.remove();
}

function setPlaying(isPlaying) {
  player.isPlaying = isPlaying;
  if (player.toggle) player.toggle.textContent = isPlaying ? "pause" : "play";
  schedule();
}

/** The next step, which may have to be asked for. */
async function comingStep() {
  let next = nextStep(1);
  while (next?.file) {
    await loadPart(next.file);
    next = nextStep(1);
  }
  return next;
}

/** Lets the next step come when its time has come. */
async function schedule() {
  clearTimeout(player.timer);
  if (!player.isPlaying) return;
  const next = await comingStep();
  if (!next) return setPlaying(false);
  const gap = timeOf(next) - timeOf(current);
  const pause = Number.isFinite(gap) ? Math.min(Math.max(0, gap) / player.speed, LONGEST_PAUSE) : 0;
  clearTimeout(player.timer);
  player.timer = setTimeout(async () => {
    await playStep();
    schedule();
  }, pause);
}

/** Shows one step more. */
async function playStep() {
  const next = await comingStep();
  if (!next) return setPlaying(false);
  goTo(next, { focus: false, scroll: "nearest" });
  showMoment(next);
}

/** Goes to the next turn, or to the beginning of this one and from there to the one before. */
async function playTurn(direction) {
  const turn = current?.closest(".turn");
  if (direction < 0 && turn && one(".step", turn) === current) await walk(nextTurn, direction);
  await walk(nextTurn, direction);
  await playStep();
  player.toggle.focus({ preventScroll: true });
  schedule();
}

/** Goes to a place of the timeline. */
async function scrub(place) {
  await goToMoment(momentAt(place));
  if (!current?.matches(".step")) await playStep();
  player.scrubber.focus({ preventScroll: true });
  schedule();
}

function showMoment(step) {
  const time = timeOf(step);
  if (Number.isFinite(time) && facts.timeline.length) player.scrubber.value = String(placeOf(time));
}

function setUpPlayer() {
  const actions = {
    " ": () => setPlaying(!player.isPlaying),
    ".": () => {
      setPlaying(false);
      playStep();
    },
    ArrowLeft: () => playTurn(-1),
    ArrowRight: () => playTurn(1),
    Escape: closePlayer,
  };
  // Before all other keys, while the player is open. A button does what it says, and fields are for typing.
  const listen = (event) => {
    if (!isPlayerOpen() || event.ctrlKey || event.metaKey || event.altKey || one("dialog[open]")) return;
    const isLeaving = event.key === "Escape" && event.target.closest?.(".player");
    if ((isField(event.target) && !isLeaving) || (event.key === " " && event.target.matches?.("button, summary"))) return;
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  };
  document.addEventListener("keydown", listen, { capture: true });
}
