// Events: what happens is told by the server, and nothing of it is missed.

/** All anew, after a restart of the server or a long absence. */
async function reload() {
  const text = await textAt("/");
  if (text === null) return false;
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.getElementById("board");
  if (!fresh) return false;
  board.dataset.event = fresh.dataset.event;
  for (const selector of ["#totals", "#notes"]) one(selector).replaceChildren(...one(selector, fresh).childNodes);
  for (const [part, list] of Object.entries(lists)) {
    list.replaceChildren(...all(`#${part} > ol > li`, fresh).map((card) => document.adoptNode(card)));
  }
  order = all(".card").map((card) => card.dataset.session);
  all(".card", lists.needs).forEach(showAsked);
  readBars(page);
  count(lists.needs.childElementCount);
  arrange(order);
  filter();
  runClocks();
  drawSoon();
  tellWaits();
  return true;
}

function readBars(page) {
  bars.clear();
  for (const [id, list] of JSON.parse(page.getElementById("bars")?.textContent || "[]")) addBars(id, list);
}

/**
 * A browser keeps few connections to one place. Of boards that cannot be seen, one goes on listening, since it may have
 * to call somebody.
 */
let isCaller = !navigator.locks;
navigator.locks?.request("recount-board", () => {
  isCaller = true;
  if (!source) listen();
  return new Promise(() => {});
});
const mayListen = () => isCaller || document.visibilityState !== "hidden";

let source = null;
function listen() {
  source?.close();
  source = null;
  if (!mayListen()) return;
  const opened = new EventSource(`/events?after=${encodeURIComponent(board.dataset.event)}`);
  source = opened;
  opened.addEventListener("open", () => (board.dataset.connected = ""));
  opened.addEventListener("cards", (event) => {
    board.dataset.event = event.lastEventId;
    apply(JSON.parse(event.data));
  });
  opened.addEventListener("reset", async () => {
    // What happens meanwhile is in the page that is fetched, or comes after it.
    opened.close();
    while (!(await reload())) await new Promise((resume) => setTimeout(resume, 1000));
    listen();
  });
  opened.addEventListener("error", () => {
    delete board.dataset.connected;
    // A browser gives up where the answer is an error; we do not.
    if (opened === source && opened.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  });
}
document.addEventListener("visibilitychange", () => {
  if (Boolean(source) !== mayListen()) listen();
});

readBars(document);
count(lists.needs.childElementCount);
arrange(order);
all(".card", lists.needs).forEach(showAsked);
runClocks();
chooseSpan();
draw();
listen();
setInterval(() => {
  runClocks();
  if (end === null) drawSoon();
}, 1000);
