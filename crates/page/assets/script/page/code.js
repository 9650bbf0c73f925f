// Code: coloured while it is near, with ranges instead of elements, and with line numbers where they are known.

import { all, make, one, readData } from "core/dom.js";
import { whenIdle } from "core/pace.js";
import { DIFF_LINES } from "./copy.js";
import { Lexer, compileLanguage, lexText } from "./lexer.js";
import { highlights, onGone, onShown } from "./page.js";
import { elementText, rangeIn } from "./text.js";

/** @import { Language, LanguageSpec } from "./lexer.js" */

/** Gives a range of the document the colour of a role. @typedef {(range: StaticRange, role: string) => void} Painter */

const COLOURED = "pre.code[data-language], .diff[data-language]";
/** Longer code is not coloured. */
const LONGEST_CODE = 200_000;

/** @type {Record<string, LanguageSpec>} */
const languageSpecs = readData("languages", {});
/** @type {Map<string, Language>} */
const compiled = new Map();

/**
 * Highlights by the role of a token.
 * @type {Map<string, Highlight>}
 */
const colours = new Map();
/**
 * Coloured elements, with the ranges to remove.
 * @type {Map<Element, [Highlight, StaticRange][]>}
 */
const coloured = new Map();
/**
 * Elements near the viewport that wait for their colours.
 * @type {Set<Element>}
 */
const waiting = new Set();
let isColouring = false;

const codeNearness = highlights && new IntersectionObserver(noteCode, { rootMargin: "50% 0px" });

/** @param {IntersectionObserverEntry[]} entries */
function noteCode(entries) {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) {
      waiting.delete(target);
      bleach(target);
    } else if (!coloured.has(target)) {
      waiting.add(target);
    }
  }
  colourSoon();
}

/**
 * A language by its name; null if it is not in the table.
 *
 * @param {string} name
 */
function languageNamed(name) {
  const spec = Object.hasOwn(languageSpecs, name) && languageSpecs[name];
  if (!spec) return null;
  const language = compiled.get(name) ?? compileLanguage(spec);
  compiled.set(name, language);
  return language;
}

/** @param {string} role */
function colourOf(role) {
  let colour = colours.get(role);
  if (!colour) {
    colour = new Highlight();
    // Search matches are painted above the colours.
    colour.priority = -1;
    colours.set(role, colour);
    highlights?.set(`code-${role}`, colour);
  }
  return colour;
}

function colourSoon() {
  if (isColouring || !waiting.size) return;
  isColouring = true;
  whenIdle((deadline) => {
    isColouring = false;
    for (const element of waiting) {
      waiting.delete(element);
      if (element instanceof HTMLElement && element.isConnected) colour(element);
      if (!deadline || deadline.timeRemaining() < 2) break;
    }
    colourSoon();
  }, 300);
}

/** @param {HTMLElement} element */
function colour(element) {
  const language = languageNamed(element.dataset.language ?? "");
  const code = one("code", element) ?? element;
  if (!language || (code.textContent ?? "").length > LONGEST_CODE) return;
  /** @type {[Highlight, StaticRange][]} */
  const ranges = [];
  coloured.set(element, ranges);
  /** @type {Painter} */
  const paint = (range, role) => {
    const colour = colourOf(role);
    colour.add(range);
    ranges.push([colour, range]);
  };
  if (element.matches(".diff")) colourDiff(element, language, paint);
  else colourBlock(code, language, paint);
}

/** @param {Element} element */
function bleach(element) {
  for (const [colour, range] of coloured.get(element) ?? []) colour.delete(range);
  coloured.delete(element);
}

/**
 * @param {Element} code
 * @param {Language} language
 * @param {Painter} paint
 */
function colourBlock(code, language, paint) {
  // Parsers split long texts at arbitrary points.
  code.normalize();
  const node = code.firstChild;
  if (!(node instanceof Text)) return;
  lexText(language, node.data, (from, to, role) => {
    if (from === to) return;
    paint(new StaticRange({ startContainer: node, startOffset: from, endContainer: node, endOffset: to }), role);
  });
}

/**
 * The lines before a change and those after it are two texts.
 *
 * @param {Element} diff
 * @param {Language} language
 * @param {Painter} paint
 */
function colourDiff(diff, language, paint) {
  let [before, after] = [new Lexer(language), new Lexer(language)];
  for (const line of all(`.gap, ${DIFF_LINES}`, diff)) {
    // The content of a gap is unknown.
    if (line.matches(".gap")) [before, after] = [new Lexer(language), new Lexer(language)];
    const words = elementText(line);
    const text = line.textContent ?? "";
    // The searched text begins with an edge.
    const offset = words.pieces[0]?.start ?? 0;
    const tell = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ role) => {
      const range = from < to && rangeIn(words, from + offset, to + offset);
      if (range) paint(range, role);
    };
    if (line.matches(".removed")) before.line(text, 0, text.length, tell);
    if (line.matches(".same")) before.line(text, 0, text.length, () => {});
    if (line.matches(".same, .added")) after.line(text, 0, text.length, tell);
  }
}

/**
 * Writes the line numbers beside the lines.
 *
 * @param {HTMLElement} pre
 */
function numberLines(pre) {
  const first = Number(pre.dataset.line);
  const code = one("code", pre);
  if (!code || !Number.isFinite(first) || one(".gutter", pre)) return;
  const lines = (code.textContent ?? "").replace(/\n$/, "").split("\n").length;
  const numbers = Array.from({ length: lines }, (_, line) => first + line).join("\n");
  pre.prepend(make("span", { class: "gutter", "aria-hidden": "true" }, numbers));
}

/** @param {HTMLElement} within */
function codeShown(within) {
  for (const pre of all("pre.code[data-line]", within)) numberLines(pre);
  if (!codeNearness) return;
  for (const element of all(COLOURED, within)) codeNearness.observe(element);
  // A diff that was opened further.
  const diff = within.parentElement?.closest(".diff[data-language]");
  if (!diff) return;
  bleach(diff);
  waiting.add(diff);
  colourSoon();
}

/** @param {HTMLElement} within */
function codeGone(within) {
  for (const element of codeNearness ? all(COLOURED, within) : []) {
    codeNearness?.unobserve(element);
    waiting.delete(element);
    bleach(element);
  }
}

export function setUpCode() {
  onShown(codeShown);
  onGone(codeGone);
}
