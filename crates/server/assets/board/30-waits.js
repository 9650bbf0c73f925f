// Who waits: the count in the tab, and notifications for those who want them.

const icon = document.getElementById("icon");
const plainIcon = icon.href;

function count(needsYou) {
  one("#needs-count").textContent = needsYou;
  document.title = `${needsYou ? `(${needsYou}) ` : ""}Board · recount`;
  icon.href = needsYou ? badge(needsYou) : plainIcon;
}

function badge(number) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 32;
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#b3261e";
  pen.beginPath();
  pen.arc(16, 16, 16, 0, 7);
  pen.fill();
  pen.fillStyle = "#fff";
  pen.font = "bold 20px sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(number > 9 ? "9+" : number, 16, 17);
  return canvas.toDataURL();
}

// ── notifications ──

const notify = document.getElementById("notify");
const wantsNotes = () => notify.getAttribute("aria-pressed") === "true";
/** Sessions that somebody reads in another tab right now. */
const inView = new Map();
const channel = globalThis.BroadcastChannel ? new BroadcastChannel("recount") : null;
channel?.addEventListener("message", ({ data }) => {
  if (data?.reading) inView.set(data.reading, Date.now());
});

if (globalThis.Notification) {
  notify.hidden = false;
  setNotify(Notification.permission === "granted" && remembered("notify") === "yes");
  notify.addEventListener("click", async () => {
    setNotify(!wantsNotes() && (await Notification.requestPermission()) === "granted");
    remember("notify", wantsNotes() ? "yes" : "no");
  });
}

function setNotify(isWanted) {
  notify.setAttribute("aria-pressed", isWanted);
}

/** Somebody looks at the board anyway. */
const isLookedAt = () => document.visibilityState === "visible" && document.hasFocus();

/** A wait, by its session, its kind and its beginning. Each is told once, however often its card changes. */
const waitOf = (card) => [card.dataset.session, card.dataset.state, one("[data-since]", card)?.dataset.since].join(" ");
let toldWaits = new Set(all(".card", lists.needs).map(waitOf));

function tellWaits() {
  const waiting = all(".card", lists.needs);
  const before = toldWaits;
  toldWaits = new Set(waiting.map(waitOf));
  for (const card of waiting) if (!before.has(waitOf(card))) tellWaiting(card);
}

function tellWaiting(card) {
  const id = card.dataset.session;
  const isInView = Date.now() - (inView.get(id) ?? 0) < 5000;
  if (!wantsNotes() || isInView || isLookedAt()) return;
  const title = `${one("h3", card)?.textContent} · ${one(".state", card)?.textContent ?? ""}`;
  // The same tag replaces the note: one for each session, in all tabs together.
  const note = new Notification(title, { body: one(".what", card)?.textContent ?? "", tag: `recount-${id}` });
  note.addEventListener("click", () => {
    focus();
    location.href = one("h3 a", card).href;
  });
}

/** Alerts that were told, by session: each is told once. */
const toldAlerts = new Map(all(".card").map((card) => [card.dataset.session, alertsOf(card)]));

/** What is said of a session, by what it is without the figures: that these grow is no news. */
function alertsOf(card) {
  return new Map(all(".alert", card).map(({ textContent }) => [textContent.replace(/\d+/g, ""), textContent]));
}

function tellAlerts(card) {
  if (!card) return;
  const id = card.dataset.session;
  const before = toldAlerts.get(id) ?? new Map();
  const alerts = alertsOf(card);
  toldAlerts.set(id, alerts);
  const fresh = [...alerts].filter(([kind]) => !before.has(kind)).map(([, text]) => text);
  if (fresh.length && wantsNotes() && !isLookedAt()) {
    new Notification(one("h3", card)?.textContent ?? "recount", { body: fresh.join("\n"), tag: `recount-alert-${id}` });
  }
}
