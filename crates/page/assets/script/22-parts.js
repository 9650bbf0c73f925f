// Parts: chunks of a long session that are in files of their own. A part is loaded when it comes near, or when
// something in it is wanted: as a page in a frame, which hands over its chunks and does nothing else. That also works
// where a page may not read files, such as in a folder.

/** After so long nothing is expected of a part any more, in milliseconds. */
const LONGEST_WAIT = 30_000;
/** A part that has loaded has sent its chunks, or never will. */
const LONGEST_SILENCE = 3000;

/** Parts that are loaded, or being loaded. @type {Map<string, Promise<void>>} by their names */
const loads = new Map();

/** Whether this page is a part, and another page wants its chunks. */
const isFramed = Boolean(facts.part) && parent !== window;

/** The stand-ins of parts that can still be loaded. */
const awaitedParts = () => chunks.filter(({ file, isLost }) => file && !isLost);

/** Puts the chunks of a part where they belong. Gives a promise that always comes true. */
function loadPart(name) {
  if (!loads.has(name)) loads.set(name, fetchPart(name).then((pieces) => placePart(name, pieces)));
  return loads.get(name);
}

/** The chunks of a part, or none if it cannot be had. */
function fetchPart(name) {
  if (grows) return fetchWindow(name);
  return new Promise((resolve) => {
    const frame = make("iframe", { src: name, hidden: "", tabindex: "-1", "aria-hidden": "true" });
    const finish = (pieces) => {
      removeEventListener("message", receive);
      clearTimeout(timer);
      frame.remove();
      resolve(pieces);
    };
    const receive = ({ source, data }) => {
      if (source === frame.contentWindow && Array.isArray(data?.recountPieces)) finish(data.recountPieces);
    };
    let timer = setTimeout(finish, LONGEST_WAIT, []);
    frame.addEventListener("load", () => {
      clearTimeout(timer);
      timer = setTimeout(finish, LONGEST_SILENCE, []);
    });
    addEventListener("message", receive);
    document.body.append(frame);
  });
}

function placePart(name, pieces) {
  for (const standIn of chunks.filter(({ file }) => file === name)) {
    const own = pieces.filter(({ within }) => within === standIn.element.dataset.within);
    if (own.length) replaceStandIn(standIn, own);
    else lose(standIn);
  }
  measureRows();
}

function replaceStandIn(standIn, pieces) {
  const placed = pieces.map(({ rows, turns, text }) => {
    const source = document.createElement("noscript");
    source.textContent = text;
    const element = make("div", { class: "chunk", "data-rows": rows, ...(turns && { "data-turns": turns }) }, source);
    if (grows) Object.assign(element.dataset, { window: standIn.file, mark: standIn.element.dataset.mark });
    return addChunk(element, source);
  });
  nearness?.unobserve(standIn.element);
  chunks.splice(chunks.indexOf(standIn), 1, ...placed);
  placed.forEach(estimate);
  standIn.element.replaceWith(...placed.map(({ element }) => element));
  for (const chunk of placed) nearness ? nearness.observe(chunk.element) : fill(chunk);
}

/** What could not be loaded stays a link, or says so. */
function lose(standIn) {
  standIn.isLost = true;
  if (grows) standIn.element.textContent = "This could not be loaded. Is recount serve still running?";
  standIn.element.style.minHeight = "";
}

/** Asks again for what could not be loaded, when it comes near. */
function retry(standIn) {
  standIn.isLost = false;
  standIn.element.textContent = "";
  loads.delete(standIn.file);
  estimate(standIn);
  nearness?.unobserve(standIn.element);
  nearness?.observe(standIn.element);
}

/** The first that `find` gives, now or when parts are loaded that are not there yet. */
async function findInParts(find) {
  for (;;) {
    const found = find();
    if (found) return found;
    const [next] = awaitedParts();
    if (!next) return null;
    await loadPart(next.file);
  }
}

/** The chunk or the stand-in at a place of the conversation, which is counted in chunks. */
function pieceAt(index) {
  for (const element of all("#conversation > .chunk, #conversation > .part")) {
    const length = Number(element.dataset.chunks ?? 1);
    if (index < length) return chunkByElement.get(element);
    index -= length;
  }
  return null;
}

/** The chunk at a place of the conversation, once it is there. */
async function chunkAt(index) {
  let piece = pieceAt(index);
  if (piece?.file) {
    await loadPart(piece.file);
    piece = pieceAt(index);
  }
  return piece?.file ? null : piece;
}

/** Hands the chunks of this part to the page that it belongs to. */
function handOver() {
  const pieces = all(".chunk").map((element) => ({
    within: element.closest("[data-within]")?.dataset.within ?? "conversation",
    rows: element.dataset.rows,
    turns: element.dataset.turns,
    text: one(":scope > noscript", element)?.textContent ?? element.innerHTML,
  }));
  // No other site may have them. Files have no site that could be named.
  parent.postMessage({ recountPieces: pieces }, location.protocol === "file:" ? "*" : location.origin);
}
