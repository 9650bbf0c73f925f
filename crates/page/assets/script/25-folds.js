// Folds: everything that opens and closes within a chunk. What is closed is not in the document; it is parsed again
// when it is opened. An agent's thread comes to the call that started it while that is open.

/** Folds whose contents were left out. */
const emptied = new WeakSet();
/** Threads that are away, and what keeps their places. */
const places = new Map();

/** `true` and `false` after "open all" and "close all". */
let unfolded = null;

/** Whether steps are open by themselves. */
const opensSteps = () => unfolded ?? view.level >= 3;

/** Whether a fold is open by itself. */
function opensByItself(fold, isWrittenOpen) {
  if (!fold.classList.contains("step")) return isWrittenOpen;
  return opensSteps() || (unfolded === null && isWrittenOpen);
}

/** Opens and closes folds that were just parsed, and takes out what is closed. */
function settleFolds(chunk, folds, within) {
  for (const fold of folds) {
    if (!within.contains(fold)) continue;
    writtenOpen.set(fold, fold.open);
    fold.open = chunk.open.get(foldNumbers.get(fold)) ?? opensByItself(fold, fold.open);
    if (!fold.open) takeOut(fold);
  }
}

const writtenOpen = new WeakMap();

function takeOut(fold) {
  for (const child of [...fold.childNodes]) if (child.nodeName !== "SUMMARY") child.remove();
  emptied.add(fold);
}

function putBack(fold) {
  const chunk = emptied.has(fold) && chunkOf(fold);
  if (!chunk) return;
  emptied.delete(fold);
  const { folds } = parse(chunk);
  const whole = folds[foldNumbers.get(fold)];
  if (!whole) return;
  trim(whole);
  settleFolds(chunk, folds.filter((inner) => inner !== whole), whole);
  fold.append(...[...whole.childNodes].filter((child) => child.nodeName !== "SUMMARY"));
  for (const shown of whenShown) shown(fold);
}

function openFold(fold) {
  putBack(fold);
  fold.open = true;
  bringThreads(fold);
}

/** Follows a fold that was opened or closed, by whatever. */
function followFold(fold) {
  const chunk = foldNumbers.has(fold) && chunkOf(fold);
  if (!chunk) return;
  const isUsual = fold.open === opensByItself(fold, writtenOpen.get(fold) ?? false);
  if (isUsual) chunk.open.delete(foldNumbers.get(fold));
  else chunk.open.set(foldNumbers.get(fold), fold.open);
  if (fold.open) {
    openFold(fold);
  } else if (!emptied.has(fold)) {
    for (const gone of whenGone) gone(fold);
    takeOut(fold);
  }
}

/** Opens or closes all steps: those that are there, and those that will be. */
function foldAll(isOpen) {
  keepPlace(() => {
    unfolded = isOpen;
    forgetFolds();
    renewChunks(() => true);
  });
  say(isOpen ? "everything is open" : "everything is closed");
}

/** From now on folds are as they are by themselves. */
function forgetFolds() {
  for (const chunk of chunks) chunk.open.clear();
}

const threadOf = (link) => document.getElementById(link.hash.slice(1));

/** Brings the threads that an open fold started. */
function bringThreads(within) {
  for (const link of all("a.thread-link", within)) {
    const fold = link.closest("details");
    const thread = threadOf(link);
    // A thread cannot be in itself, and only in one place.
    if (!fold?.open || !thread || places.has(thread) || thread.contains(link)) continue;
    const place = document.createComment("");
    thread.before(place);
    places.set(thread, place);
    (link.closest(".body") ?? fold).append(thread);
  }
}

/** Sends the threads back that are within an element, before it goes. */
function returnThreads(within) {
  for (const thread of all(".thread", within)) {
    const place = places.get(thread);
    if (!place || !within.contains(thread)) continue;
    places.delete(thread);
    place.replaceWith(thread);
  }
}

function setUpFolds() {
  whenShown.push(bringThreads);
  whenGone.push(returnThreads);
  // Before it opens, or it would be seen empty first.
  document.addEventListener("click", (event) => {
    const fold = event.target.closest("summary")?.parentElement;
    if (fold && !fold.open) putBack(fold);
  });
  document.addEventListener("toggle", (event) => followFold(event.target), true);
}
