// Places: finding steps and turns that may not be in the document yet, and going there.

/** The step or turn where the reader is, by a link, a key or a search. */
let current = null;

const barHeight = () => toolbar?.offsetHeight ?? 0;

function isOnScreen(element) {
  const box = element.getBoundingClientRect();
  return box.height > 0 && box.bottom > barHeight() && box.top < innerHeight;
}

/** The first step that is seen at least in part. */
function firstOnScreen() {
  for (const chunk of chunks) {
    if (!chunk.isNear || !chunk.isFilled || !isOnScreen(chunk.element)) continue;
    const found = all(".step", chunk.element).find(isOnScreen);
    if (found) return found;
  }
  return null;
}

/** Marks the place where the reader is. */
function setCurrent(element) {
  current?.removeAttribute("data-current");
  current = element;
  current?.setAttribute("data-current", "");
}

/**
 * Puts something into the document, opens what it is in, and gives the element. `find` finds it in the contents of
 * the chunk; it needs a name, or to be within something with a name.
 */
function bringOut(chunk, find, seen = new Set()) {
  const thread = chunk.element.closest(".thread");
  if (thread) bringOutThread(thread, seen);
  const { content } = parse(chunk);
  const target = find(content);
  if (!target) return null;
  const named = target.closest("[id]");
  const folds = [];
  for (let above = target; above; above = above.parentElement) {
    if (above.dataset.level) unhide(above.dataset);
    // Whoever wants a step wants its line; what is in it stays as it is.
    if (!(above === target && above === named) && above.matches("details")) folds.unshift(foldNumbers.get(above));
  }
  fill(chunk);
  openNumbered(chunk, folds);
  return named && document.getElementById(named.id);
}

/** Opens folds of a chunk, outer ones first. */
function openNumbered(chunk, numbers) {
  for (const number of numbers) {
    const fold = all("details", chunk.element).find((fold) => {
      return foldNumbers.get(fold) === number && chunkOf(fold) === chunk;
    });
    if (!fold || fold.open) continue;
    openFold(fold);
  }
}

/** Opens the call that a thread hangs on, and so brings the thread there. */
function bringOutThread(thread, seen = new Set()) {
  unhide({ level: thread.dataset.level });
  if (thread.dataset.kind === "agent" && view.hidden.has("agents")) {
    setHidden([...view.hidden].filter((key) => key !== "agents"));
  }
  if (places.has(thread)) {
    for (const fold of foldsAround(thread)) openFold(fold);
    return;
  }
  // Threads can refer to each other.
  if (seen.has(thread)) return;
  seen.add(thread);
  const link = `class="thread-link" href="#${thread.id}"`;
  const chunk = chunks.find((chunk) => !thread.contains(chunk.element) && hasTag(chunk, link));
  if (chunk) bringOut(chunk, (content) => one(`a.thread-link[href="#${CSS.escape(thread.id)}"]`, content), seen);
}

/** The folds that an element is in, outer ones first, and itself. */
function foldsAround(element) {
  const folds = [];
  for (let fold = element.closest("details"); fold; fold = fold.parentElement?.closest("details")) folds.unshift(fold);
  return folds;
}

/** The element with a name, wherever it is; it is opened and shown if need be. */
function reveal(name) {
  const thread = document.getElementById(name);
  if (thread?.matches(".thread")) {
    bringOutThread(thread);
    return thread;
  }
  const chunk = chunkNaming(name);
  if (!chunk) return thread;
  return bringOut(chunk, (content) => content.getElementById(name));
}

function chunkNaming(name) {
  const turn = name.match(/^turn-(\d+)$/);
  const known = turn && facts.turns.find(([number]) => number === Number(turn[1]));
  const main = known && pieceAt(known[2]);
  const candidates = main ? [main, ...chunks] : chunks;
  return candidates.find((chunk) => hasTag(chunk, `id="${name}"`));
}

/** Goes to an element: scrolls there, marks it, and gives it the focus unless somebody is typing. */
function goTo(element, { focus = true, scroll = "start" } = {}) {
  setCurrent(element);
  if (focus) {
    if (!element.hasAttribute("tabindex")) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }
  if (scroll !== "start" && isWhollyOnScreen(element)) return;
  hold(() => element.scrollIntoView({ block: "start", behavior: "instant" }));
}

function isWhollyOnScreen(element) {
  const box = element.getBoundingClientRect();
  return box.height > 0 && box.top >= barHeight() && box.bottom <= innerHeight;
}

let holding = 0;

/** Scrolls somewhere and stays there while chunks around it are filled, unless the reader moves. */
function hold(scroll) {
  const turn = ++holding;
  const until = performance.now() + 500;
  const again = () => {
    if (turn !== holding) return;
    scroll();
    if (performance.now() < until) requestAnimationFrame(again);
  };
  again();
}

const letGo = () => holding++;

/** Goes to the element with a name. What is in a part is gone to later; `then` is called when it is. */
function goToName(name, then = () => {}) {
  const element = reveal(name);
  if (element) {
    goTo(element);
    then();
    return true;
  }
  if (awaitedParts().length || grows) {
    goToPart(name, then);
    return true;
  }
  // The page that this is a part of may have it.
  if (facts.whole) location.assign(`${facts.whole}#${encodeURIComponent(name)}`);
  return Boolean(facts.whole);
}

async function goToPart(name, then) {
  const turn = ++holding;
  const known = facts.turns.find(([number]) => name === `turn-${number}`);
  if (known) await chunkAt(known[2]);
  const element = grows && !known ? await revealWindow(name) : await findInParts(() => reveal(name));
  // The reader may have gone elsewhere.
  if (!element || turn !== holding) return;
  goTo(element);
  then();
}

/** What tells a place, in the window that the server says it is in. */
async function revealWindow(name) {
  const response = await fetch(`${home}/place/${encodeURIComponent(name)}`).catch(() => null);
  if (!response?.ok) return null;
  const { windows, anchor } = await response.json();
  for (const window of windows) await loadPart(window);
  return reveal(anchor);
}

/**
 * The next or previous element of a kind, from where the reader is. Chunks that are not there are filled if their
 * text says that they have one. It may be in a part that has to be loaded first: then it is what stands for that.
 */
function seek(selector, direction, mayHave) {
  for (;;) {
    const list = all(`${selector}, .chunk, .part`);
    if (direction < 0) list.reverse();
    const start = current?.isConnected ? current : null;
    const isAhead = (element) => {
      if (!start) return direction < 0 || element.getBoundingClientRect().top >= barHeight() - 1;
      const order = start.compareDocumentPosition(element);
      return Boolean(order & (direction > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING));
    };
    let wanted = null;
    for (const element of list) {
      const chunk = chunkByElement.get(element);
      if (chunk && (chunk.isFilled || chunk.isLost || !(chunk.file || mayHave(chunk)))) continue;
      if (!isSeen(element) || !isAhead(element)) continue;
      wanted = chunk ?? element;
      break;
    }
    if (!wanted?.element || wanted.file) return wanted;
    fill(wanted);
    // It had none after all; without this the search would not end.
    if (!wanted.isFilled) return null;
  }
}

const isSeen = (element) => element.getClientRects().length > 0;

const nextStep = (direction) =>
  seek(".step", direction, (chunk) => {
    const errorsOnly = showsErrorsOnly();
    return [...stepsIn(textOf(chunk))].some((step) => isShown(step, errorsOnly));
  });

const nextTurn = (direction) =>
  seek(".turn[id]", direction, (chunk) => textOf(chunk).includes('<section class="turn" id='));

function nextError(direction) {
  // What failed may be hidden; whoever asks for it wants to see it.
  if (view.hidden.has("errors")) setHidden([...view.hidden].filter((key) => key !== "errors"));
  return seek('.step[data-severity="error"]', direction, (chunk) => textOf(chunk).includes('data-severity="error"'));
}

function setUpPlaces() {
  // What is gone to must not lie under the toolbar, which can be two lines high.
  const makeRoom = () => (root.style.scrollPaddingTop = `${barHeight() + 16}px`);
  if (toolbar && globalThis.ResizeObserver) new ResizeObserver(makeRoom).observe(toolbar);
  for (const event of ["wheel", "touchstart", "keydown", "pointerdown"]) {
    addEventListener(event, letGo, { passive: true, capture: true });
  }
  whenGone.push((within) => {
    // Only the name is left of it.
    if (current && within !== current && within.contains(current)) lostName = current.id;
  });
  whenShown.push((within) => {
    if (!lostName || current?.isConnected) return;
    const found = document.getElementById(lostName);
    if (found && within.contains(found)) setCurrent(found);
  });
}

let lostName = "";
