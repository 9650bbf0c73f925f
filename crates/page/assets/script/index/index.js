// The list of sessions: sorts its tables, and filters sessions by words.

import { all, closest, make, one, readData, root } from "core/dom.js";
import { showLocalTimes } from "core/times.js";
import { hasWords, wordsIn } from "core/words.js";

/** @type {HTMLInputElement | null} */
const filterField = one(".filter");
const nothingFound = one(".none");
/**
 * The prompts of each session, by the number of its row.
 * @type {string[][]}
 */
const prompts = readData("prompts", []);

/**
 * The sort key of a row in a column: a number where there is one.
 *
 * @param {HTMLTableRowElement} row
 * @param {number} column
 */
function sortKey(row, column) {
  const cell = row.cells[column];
  const number = cell?.dataset.sort;
  return number === undefined ? (cell?.textContent ?? "").trim().toLowerCase() : Number(number || -1);
}

/**
 * Sorts a table by the column of a heading; in reverse the second time.
 *
 * @param {HTMLTableCellElement} heading
 */
function sortBy(heading) {
  const body = heading.closest("table")?.tBodies[0];
  const headings = heading.parentElement;
  if (!body || !(headings instanceof HTMLTableRowElement)) return;
  const before = heading.getAttribute("aria-sort");
  const isAscending = before === "none" ? heading.classList.contains("title") : before !== "ascending";
  for (const other of headings.cells) other.setAttribute("aria-sort", "none");
  heading.setAttribute("aria-sort", isAscending ? "ascending" : "descending");
  const sign = isAscending ? 1 : -1;
  const rows = [...body.rows].map((row) => ({ row, key: sortKey(row, heading.cellIndex) }));
  rows.sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  body.append(...rows.map(({ row }) => row));
}

/**
 * Shows the sessions that contain all words, in their row or in their prompts.
 *
 * @param {string} query
 */
function showMatching(query) {
  const words = wordsIn(query);
  let shown = 0;
  for (const section of all("main > section")) {
    const project = one("h2", section)?.textContent ?? "";
    const rows = /** @type {HTMLTableRowElement[]} */ (all("tbody tr", section));
    const inSection = rows.filter((row) => showIfMatching(row, project, words)).length;
    section.hidden = inSection === 0;
    shown += inSection;
  }
  if (nothingFound) nothingFound.hidden = shown > 0;
  const page = location.pathname.split("/").pop() || ".";
  history.replaceState(null, "", words.length ? `#${encodeURIComponent(query)}` : page);
}

/**
 * @param {HTMLTableRowElement} row
 * @param {string} project
 * @param {string[]} words
 */
function showIfMatching(row, project, words) {
  const title = row.cells[0];
  if (!title) return false;
  one(".asked", title)?.remove();
  const line = `${project} ${title.textContent}`;
  const isMatching = hasWords(words, line);
  const ownPrompts = prompts[Number(row.dataset.row)] ?? [];
  const asked = isMatching ? undefined : ownPrompts.find((prompt) => hasWords(words, `${line} ${prompt}`));
  if (asked !== undefined) title.append(make("p", { class: "asked" }, asked));
  row.hidden = !isMatching && asked === undefined;
  return !row.hidden;
}

/** @param {HTMLInputElement} field */
function setUpFilter(field) {
  const show = () => showMatching(field.value);
  field.hidden = false;
  field.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    const isTyping = document.activeElement === field;
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      field.focus();
    } else if (event.key === "Escape" && isTyping) {
      field.value = "";
      show();
    }
  });
  if (location.hash.length > 1) {
    field.value = decodeURIComponent(location.hash.slice(1));
    show();
  }
}

showLocalTimes(document);
document.addEventListener("click", (event) => {
  const heading = closest(event, ".sessions th");
  if (heading instanceof HTMLTableCellElement) sortBy(heading);
});
if (filterField) setUpFilter(filterField);
root.dataset.ready = "";
