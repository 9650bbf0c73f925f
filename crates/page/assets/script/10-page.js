// The page as the other parts of the script see it. All of them are one module, in the order of their names; what
// they have to do at the beginning is said in the last one. The markup is described in `src/html.rs`.

const root = document.documentElement;

/** The first element that fits. */
const one = (selector, within = document) => within.querySelector(selector);

/** All elements that fit. */
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/** What the page says about the session as a whole, as `#facts` has it. */
const facts = { levels: ["prompts", "talk", "steps", "full"], turns: [], timeline: [], ...readData("facts") };

/** Whether a server tells what is added to the session while it is read (87-growth.js). */
const grows = facts.event !== undefined;

const toolbar = one(".toolbar");

/** What is to be done when content comes into the document or leaves it; each is given the element around it. */
const whenShown = [];
const whenGone = [];

function readData(id) {
  try {
    return JSON.parse(document.getElementById(id)?.textContent ?? "{}");
  } catch {
    return {};
  }
}

/** An element with attributes and children. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A button that does one of the actions (50-keys.js). */
const makeButton = (action, words, attributes = {}) =>
  make("button", { type: "button", "data-action": action, ...attributes }, words);

/** A style sheet of the script's own, or a stand-in that does nothing. */
function addSheet(rules = "") {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return sheet;
  } catch {
    return { replaceSync() {} };
  }
}

addSheet(`
  .chunk { content-visibility: visible; }
  .status { position: fixed; clip-path: inset(50%); white-space: nowrap; }
  .beside { position: absolute; z-index: 1; display: flex; gap: 2px; font-size: var(--size-1); }
  .timeline .here { fill: var(--accent); }
`);

/** Work that may wait goes on in pieces, so that the page answers in between. */
const breathe = () =>
  globalThis.scheduler?.postTask
    ? scheduler.postTask(() => {}, { priority: "user-visible" })
    : new Promise((resume) => setTimeout(resume));

const whenIdle = globalThis.requestIdleCallback?.bind(globalThis) ?? ((work) => setTimeout(work, 30));

/** Calls a function at most once a frame, however often it is asked for. */
function eachFrame(work) {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      work();
    });
  };
}

const status = make("div", { class: "status", role: "status" });
const toast = make("div", { class: "toast", "aria-hidden": "true", hidden: "" });
let toastTimer = 0;

/** Says something to those who see and to those who listen. */
function say(words) {
  status.textContent = words;
  toast.textContent = words;
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (toast.hidden = true), 1600);
}

/** What is remembered from page to page. A browser may refuse, above all for files. */
const memory = {
  get(key) {
    try {
      return localStorage.getItem(`recount-${key}`);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`recount-${key}`, value);
    } catch {
      // It is forgotten.
    }
  },
};
