// Copying: what a button says, a block of code, the words of a message, the link to a step.
//
// One set of buttons goes to whatever is pointed at, instead of one in every place.

const DIFF_LINES = "p:is(.same, .removed, .added)";

const copyButton = make("button", { type: "button", class: "copy", tabindex: "-1" }, "copy");
const linkButton = make("button", { type: "button", class: "copy", tabindex: "-1" }, "link");
const beside = make("div", { class: "beside", hidden: "" }, copyButton, linkButton);
let pointedAt = null;

/** Puts a text where it can be pasted from. */
async function copy(text, what) {
  const isCopied = (await copyByClipboard(text)) || copyBySelection(text);
  say(isCopied ? `${what} copied` : "the browser does not allow it to be copied");
}

async function copyByClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** How it was done before there was a clipboard for scripts, or where there is none. */
function copyBySelection(text) {
  const focused = document.activeElement;
  const field = make("textarea", { class: "status", "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  let isCopied = false;
  try {
    isCopied = document.execCommand("copy");
  } catch {
    // It is said by who asked.
  }
  field.remove();
  focused?.focus?.({ preventScroll: true });
  return isCopied;
}

/** The words of a block or a step, as they are read. */
function wordsToCopy(element) {
  // Lines as a patch has them.
  if (element.matches(".diff")) {
    const sign = (line) => (line.matches(".added") ? "+" : line.matches(".removed") ? "-" : " ");
    return all(DIFF_LINES, whole(element)).map((line) => `${sign(line)}${line.textContent}\n`).join("");
  }
  if (element.matches("pre")) {
    const block = whole(element.closest(".long") ?? element);
    const pieces = block.matches("pre") ? [block] : all("pre", block);
    return pieces.map((piece) => (one("code", piece) ?? piece).textContent).join("");
  }
  const said = one(":scope > .words, :scope > .prose", element);
  return (said ?? element).innerText.trim();
}

/** A block with everything that is folded in it. */
function whole(block) {
  const fold = one("details", block);
  const chunk = fold && chunkOf(fold);
  return (chunk && parse(chunk).folds[foldNumbers.get(fold)]?.closest(".long, .diff")) ?? block;
}

const linkTo = (element) => `${location.href.split("#")[0]}#${encodeURIComponent(element.id)}`;

/** The step that the reader means. */
const meantStep = () => document.activeElement?.closest(".step") ?? current ?? firstOnScreen();

function copyLink(step = meantStep()?.closest("[id]")) {
  if (step) copy(linkTo(step), "link");
}

function copyWords(element = document.activeElement?.closest("pre, .diff") ?? meantStep()) {
  if (element) copy(wordsToCopy(element), element.matches(".step") ? "words" : "block");
}

/** Moves the buttons to what is pointed at. */
function pointAt(element) {
  if (element === pointedAt) return;
  pointedAt = element;
  beside.hidden = !element;
  if (!element) return;
  const isStep = element.matches(".step");
  linkButton.hidden = !isStep || !element.id;
  diffButton.hidden = !element.matches(".diff");
  copyButton.hidden = isStep && !one(":scope > .words, :scope > .prose", element);
  placeButtons();
}

function placeButtons() {
  if (!pointedAt) return;
  const box = pointedAt.getBoundingClientRect();
  const right = Math.min(box.right, root.clientWidth) + scrollX;
  // Above the words of a step, within the frame of a block.
  const top = pointedAt.matches(".step") ? box.top - beside.offsetHeight / 2 : box.top + 2;
  beside.style.top = `${top + scrollY}px`;
  beside.style.left = `${right - beside.offsetWidth - 2}px`;
}

function setUpCopy() {
  beside.prepend(diffButton);
  document.body.append(beside);
  const follow = (copied) => ({ target }) => {
    if (beside.contains(target)) return;
    pointAt(target.closest?.("#conversation, .threads, .lines") ? target.closest(copied) : null);
  };
  document.addEventListener("pointerover", follow("pre, .diff, .step"));
  document.addEventListener("focusin", follow("pre, .diff"));
  const place = eachFrame(placeButtons);
  whenShown.push(place);
  whenGone.push((within) => (within.contains(pointedAt) ? pointAt(null) : place()));
  copyButton.addEventListener("click", () => pointedAt && copyWords(pointedAt));
  linkButton.addEventListener("click", () => pointedAt && copyLink(pointedAt));
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".copy[data-copy]");
    if (button) copy(button.dataset.copy, "it is");
  });
}
