// Times: in the zone of the reader, unless the page was made for another one (`data-zone`).

/** How times are told: at first the head says how long ago something recent was, and everything else is exact. */
let timeStyle = "mixed";

const RECENT = 30 * 24 * 3600 * 1000;
const UNITS = [
  ["year", 365 * 24 * 3600e3],
  ["month", 30 * 24 * 3600e3],
  ["week", 7 * 24 * 3600e3],
  ["day", 24 * 3600e3],
  ["hour", 3600e3],
  ["minute", 60e3],
];

/** The zone that the page was made for; undefined, which is that of the reader, if there is none that is known here. */
function chosenZone() {
  const timeZone = document.documentElement.dataset.zone;
  try {
    new Intl.DateTimeFormat(undefined, { timeZone });
    return timeZone;
  } catch {
    return undefined;
  }
}

const timeZone = chosenZone();
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone });
const inFull = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long", timeZone });
const ago = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const shortlyAgo = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "narrow" });

function sinceThen(moment, format) {
  const passed = moment - Date.now();
  const [unit, length] = UNITS.find(([, length]) => Math.abs(passed) >= length) ?? UNITS.at(-1);
  return format.format(Math.trunc(passed / length), unit);
}

function tellTime(time) {
  const moment = Date.parse(time.dateTime);
  if (Number.isNaN(moment)) return;
  const isSmall = time.matches(".at");
  const isRecent = time.closest(".head") && Math.abs(Date.now() - moment) < RECENT;
  const exact = isSmall ? clock.format(moment) : `${day.format(moment)}, ${clock.format(moment)}`;
  const isRelative = timeStyle === "relative" || (timeStyle === "mixed" && isRecent);
  const words = isRelative ? sinceThen(moment, isSmall ? shortlyAgo : ago) : exact;
  // Nothing is written that is there already: writing costs more than reading.
  if (time.textContent !== words) time.textContent = words;
  if (!time.title) time.title = inFull.format(moment);
}

function tellTimes(within = document) {
  for (const time of all("time[datetime]", within)) tellTime(time);
}

const timesButton = makeButton("times", "ago", { "aria-pressed": "false", title: "tell how long ago it was" });

function toggleTimes() {
  timeStyle = timeStyle === "relative" ? "exact" : "relative";
  timesButton.setAttribute("aria-pressed", String(timeStyle === "relative"));
  keepPlace(() => tellTimes());
}

function setUpTimes() {
  one('.head [data-fact="when"] dd')?.append(" ", timesButton);
  tellTimes();
  whenShown.push(tellTimes);
  setInterval(() => timeStyle !== "exact" && !document.hidden && tellTimes(), 60e3);
}
