// Search in the whole page: far and closed content is searched in the texts of the chunks.

import { one, setText } from "core/dom.js";
import { thousands } from "core/human.js";
import { breathe, eachFrame } from "core/pace.js";
import { noteAddress } from "./address.js";
import { chunkOf, chunks, literal, textOf } from "./chunks.js";
import { unescaped } from "./escapes.js";
import { highlights, onGone, onShown } from "./page.js";
import { loadPart } from "./parts.js";
import { barHeight, bringOut, firstOnScreen, goTo, hold, isLaidOut } from "./places.js";
import { elementText, rangeIn, withoutTags } from "./text.js";

/** @import { Chunk } from "./chunks.js" */

/** @typedef {{ pattern: RegExp | null, hint: RegExp | null }} SearchPattern */
/** @typedef {{ start: number, end: number }} Match */

/** Steps within steps are searched on their own. */
const OWNERS = ".step[id], .turn, .thread, .chunk";

/** Maximum number of matches that are marked at a time. */
const MOST_MARKS = 4000;
/** Maximum duration of a slice of work, in milliseconds. */
const SLICE = 10;
/** Interval between updates of the count, in milliseconds. */
const NEWS = 300;

export const search = {
  query: "",
  isRegex: false,
  /** @type {RegExp | null} */
  pattern: null,
  /**
   * The longest word of the query, which is found faster.
   * @type {RegExp | null}
   */
  hint: null,
  /**
   * Chunks with matches, with the number of matches before them.
   * @type {{ chunk: Chunk, before: number, count: number }[]}
   */
  found: [],
  total: 0,
  /** The number of the current match. */
  at: -1,
  isDone: true,
  run: 0,
};

/** @type {HTMLInputElement | null} */
export const searchField = one('[name="search"]');
/** @type {HTMLInputElement | null} */
const regexBox = one('[name="regex"]');
const searchOutput = one(".found");
const marks = highlights && { all: new Highlight(), current: new Highlight() };

/**
 * The number of matches in a chunk.
 *
 * @param {Chunk} chunk
 * @param {SearchPattern} wanted
 */
function countMatches(chunk, { pattern, hint }) {
  const words = withoutTags(textOf(chunk));
  if (hint && !hint.test(words)) return 0;
  return matchesIn(unescaped(words), pattern).length;
}

/**
 * All matches in a text. Empty ones do not count.
 *
 * @param {string} text
 * @param {RegExp | null} pattern
 * @returns {Match[]}
 */
function matchesIn(text, pattern) {
  const matches = [];
  for (const { 0: found, index } of pattern ? text.matchAll(pattern) : []) {
    if (found.length) matches.push({ start: index, end: index + found.length });
  }
  return matches;
}

/**
 * The pattern of a query. It ignores case unless the query has capital letters.
 *
 * @param {string} query
 * @param {boolean} isRegex
 */
function patternOf(query, isRegex) {
  const source = isRegex ? query : literal(query.trim()).replace(/\s+/g, "\\s+");
  const letters = isRegex ? query.replace(/\\./gs, "") : query;
  const flags = letters === letters.toLowerCase() ? "gim" : "gm";
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}

/**
 * An ASCII text that every match must contain: it is never escaped.
 *
 * @param {string} query
 */
function hintOf(query) {
  const words = query.match(/\w{2,}/g) ?? [];
  const longest = words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
  return longest ? new RegExp(longest, "i") : null;
}

/**
 * Starts another search.
 *
 * @param {string} query
 * @param {boolean} isRegex
 */
export function setSearch(query, isRegex) {
  if (searchField && searchField.value !== query) searchField.value = query;
  if (regexBox) regexBox.checked = isRegex;
  if (query === search.query && isRegex === search.isRegex) return;
  const isNarrower = !isRegex && !search.isRegex && search.isDone && search.query && isWithin(search.query, query);
  const candidates = isNarrower ? search.found.map(({ chunk }) => chunk) : chunks;
  Object.assign(search, { query, isRegex, pattern: null, hint: null, found: [], total: 0, at: -1, isDone: true });
  search.run++;
  noteAddress();
  marks?.current.clear();
  try {
    if (query.trim()) search.pattern = patternOf(query, isRegex);
    if (!isRegex) search.hint = hintOf(query);
  } catch {
    showFound("not a regular expression");
    return paintMarks();
  }
  paintMarks();
  if (search.pattern) searchChunks(candidates);
  else showFound("");
}

/**
 * Whether every text with a match of the new query also has one of the old query.
 *
 * @param {string} before
 * @param {string} after
 */
const isWithin = (before, after) => after.startsWith(before) && before === before.toLowerCase();

/**
 * Counts the matches, chunk by chunk.
 *
 * @param {Chunk[]} candidates
 */
async function searchChunks(candidates) {
  const { run, pattern, hint } = search;
  search.isDone = false;
  let pauseAt = performance.now() + SLICE;
  let newsAt = performance.now() + NEWS;
  // The chunks of a part replace its placeholder while this runs.
  for (let index = 0; index < candidates.length; index++) {
    for (let part = candidates[index]; part?.file && !part.isLost; part = candidates[index]) {
      showFound();
      await loadPart(part.file);
      if (run !== search.run) return;
    }
    const chunk = candidates[index];
    const count = chunk ? countMatches(chunk, { pattern, hint }) : 0;
    if (chunk && count) {
      search.found.push({ chunk, before: search.total, count });
      search.total += count;
    }
    if (performance.now() <= pauseAt) continue;
    if (performance.now() > newsAt) {
      showFound();
      newsAt = performance.now() + NEWS;
    }
    await breathe();
    if (run !== search.run) return;
    pauseAt = performance.now() + SLICE;
  }
  search.isDone = true;
  showFound();
}

/**
 * Shows the number of matches, or a message.
 *
 * @param {string} [words]
 */
function showFound(words) {
  if (!searchOutput) return;
  const { at, total, isDone } = search;
  const count = `${thousands(total)}${isDone ? "" : "…"}`;
  const amount = total || !isDone ? `${count} found` : "nothing found";
  setText(searchOutput, words ?? (at >= 0 ? `${thousands(at + 1)} of ${count}` : amount));
}

/**
 * Goes to the next or previous match from the current place.
 *
 * @param {number} direction
 * @param {boolean} [focus]
 */
export function goToMatch(direction, focus = true) {
  if (!search.total) return;
  const first = search.at < 0 ? firstMatchHere(direction) : search.at + direction;
  search.at = (first + search.total) % search.total;
  const found = search.found.findLast(({ before }) => before <= search.at);
  if (found) showMatch(found.chunk, search.at - found.before, focus);
  showFound();
}

/**
 * The first match in the visible chunk, or after it.
 *
 * @param {number} direction
 */
function firstMatchHere(direction) {
  const here = firstOnScreen();
  const chunkHere = here && chunkOf(here);
  const from = chunkHere ? chunks.indexOf(chunkHere) : 0;
  const next = search.found.find(({ chunk }) => chunks.indexOf(chunk) >= from);
  if (direction > 0) return next?.before ?? 0;
  return (next?.before ?? search.total) - 1;
}

/**
 * Opens the folds around a match, and goes there.
 *
 * @param {Chunk} chunk
 * @param {number} number which match of the chunk it is
 * @param {boolean} focus
 */
function showMatch(chunk, number, focus) {
  // The same match in a fresh copy of the chunk shows its step, and its number within that step.
  let inOwner = 0;
  /** @type {Element | null} */
  let owner = null;
  let isFound = false;
  const live = bringOut(chunk, (content) => {
    const text = elementText(content);
    const places = matchesIn(text.text, search.pattern).map(
      ({ start, end }) => rangeIn(text, start, end)?.startContainer.parentElement ?? null,
    );
    const at = Math.min(number, places.length - 1);
    const target = places[at] ?? null;
    const owners = places.slice(0, at + 1).map((place) => place?.closest(OWNERS) ?? null);
    owner = owners.pop() ?? null;
    inOwner = owners.filter((other) => other === owner).length;
    isFound = target !== null;
    return target;
  });
  if (!isFound) return;
  const ownerId = /** @type {Element | null} */ (owner)?.id;
  const element = (ownerId && document.getElementById(ownerId)) || live || chunk.element;
  const text = elementText(element, OWNERS);
  const matches = matchesIn(text.text, search.pattern);
  const match = matches[Math.min(inOwner, matches.length - 1)];
  goTo(element, { focus, scroll: "nearest" });
  const range = match && rangeIn(text, match.start, match.end);
  if (!range) return;
  marks?.current.clear();
  marks?.current.add(range);
  hold(() => scrollToRange(range));
}

/** @param {StaticRange} place */
function scrollToRange({ startContainer, startOffset, endContainer, endOffset }) {
  if (!startContainer.isConnected) return;
  const range = document.createRange();
  range.setStart(startContainer, startOffset);
  range.setEnd(endContainer, endOffset);
  const box = range.getBoundingClientRect();
  if (!box.height) return;
  // Elements with a scrollbar of their own, such as long lines of code.
  const scroller = startContainer.parentElement?.closest("pre, .diff, table");
  if (scroller) {
    const frame = scroller.getBoundingClientRect();
    const isAside = box.left < frame.left || box.right > frame.right;
    if (isAside) scroller.scrollLeft += box.left - frame.left - frame.width / 3;
    const isBeyond = box.top < frame.top || box.bottom > frame.bottom;
    if (isBeyond) scroller.scrollTop += box.top - frame.top - frame.height / 3;
  }
  const seen = range.getBoundingClientRect();
  const isSeen = seen.top >= barHeight() && seen.bottom <= innerHeight;
  if (!isSeen) scrollBy({ top: seen.top - innerHeight / 3, behavior: "instant" });
}

/** Marks the matches that are in the document. */
const paintMarks = eachFrame(() => {
  if (!marks) return;
  marks.all.clear();
  if (!search.pattern) return;
  let room = MOST_MARKS;
  for (const { element, isFilled } of chunks) {
    if (!isFilled || !isLaidOut(element)) continue;
    const text = elementText(element);
    for (const { start, end } of matchesIn(text.text, search.pattern)) {
      if (room-- <= 0) return;
      const range = rangeIn(text, start, end);
      if (range) marks.all.add(range);
    }
  }
});

export const clearSearch = () => setSearch("", search.isRegex);

export function setUpSearch() {
  if (highlights && marks) {
    marks.current.priority = 1;
    highlights.set("search", marks.all);
    highlights.set("search-current", marks.current);
    const repaint = () => {
      if (search.pattern) paintMarks();
    };
    onShown(repaint);
    onGone(repaint);
  }
  const field = searchField;
  if (!field) return;
  const searchNow = () => setSearch(field.value, Boolean(regexBox?.checked));
  let timer = 0;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(searchNow, 120);
  });
  regexBox?.addEventListener("change", searchNow);
  field.addEventListener("keydown", async (event) => {
    if (event.key !== "Escape" && event.key !== "Enter") return;
    event.preventDefault();
    clearTimeout(timer);
    if (event.key === "Escape") {
      clearSearch();
      field.blur();
      return;
    }
    searchNow();
    const { run } = search;
    // The first match may not have been found yet.
    while (!search.total && !search.isDone && run === search.run) await breathe();
    if (run === search.run) goToMatch(event.shiftKey ? -1 : 1, false);
  });
}
