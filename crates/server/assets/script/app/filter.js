// Filter, groups and keys of the board.

import { all, make, need, one } from "core/dom.js";
import { hasModifier, isInField } from "core/keys.js";
import { remember, remembered } from "core/memory.js";
import { hasWords, wordsIn } from "core/words.js";
import { arrange } from "./cards.js";
import { lists, shownCards } from "./lists.js";
import { drawSoon } from "./timeline.js";

/** @type {HTMLInputElement} */
const filterField = need("#filter");
/** @type {HTMLSelectElement} */
const groupChoice = need("#group");

export function filterCards() {
  const words = wordsIn(filterField.value);
  for (const card of all(".card")) {
    card.hidden = !hasWords(words, `${card.textContent} ${card.dataset.project} ${card.dataset.state}`);
  }
}

/** Groups cards by project, under its name. */
export function groupCards() {
  for (const heading of all("li.group")) heading.remove();
  if (groupChoice.value !== "project") return;
  for (const list of [lists.work, lists.ended]) {
    /** @type {Map<string, HTMLElement[]>} */
    const byProject = new Map();
    for (const card of all(".card", list)) {
      const project = card.dataset.project ?? "";
      byProject.set(project, [...(byProject.get(project) ?? []), card]);
    }
    for (const [project, cards] of byProject) {
      list.append(make("li", { class: "group" }, project || "elsewhere"), ...cards);
    }
  }
}

/** @param {HTMLElement | undefined} card */
const linkOf = (card) => card && one("h3 a", card);

/** @param {KeyboardEvent} event */
function boardPressed(event) {
  if (hasModifier(event) || isInField(event)) return;
  if (/^[1-9]$/.test(event.key)) {
    linkOf(shownCards(lists.needs)[Number(event.key) - 1])?.click();
  } else if (event.key === "j" || event.key === "k") {
    const cards = shownCards();
    const at = cards.findIndex((card) => card.contains(document.activeElement));
    const next = cards[event.key === "j" ? at + 1 : Math.max(0, at - 1)];
    linkOf(next ?? cards.at(-1))?.focus();
  } else if (event.key === "f") {
    event.preventDefault();
    filterField.focus();
  } else if (event.key === "g") {
    chooseGroup(groupChoice.value === "state" ? "project" : "state");
  }
}

/** @param {string} group */
function chooseGroup(group) {
  groupChoice.value = group;
  remember("group", group);
  arrange();
}

export function setUpFilter() {
  filterField.addEventListener("input", () => {
    filterCards();
    drawSoon();
  });
  groupChoice.value = remembered("group") === "project" ? "project" : "state";
  groupChoice.addEventListener("change", () => chooseGroup(groupChoice.value));
  addEventListener("keydown", boardPressed);
}
