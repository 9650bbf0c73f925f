// The board and its lists of cards.

import { all, need } from "core/dom.js";

export const board = need("#board");

/** The lists, by part of the board. */
export const lists = {
  needs: need("#needs > ol"),
  work: need("#work > ol"),
  ended: need("#ended > ol"),
};

/** @param {string} id of the session */
export const cardOf = (id) => document.getElementById(`s-${id}`);

/** @param {HTMLElement} card */
export const sessionOf = (card) => card.dataset.session ?? "";

/** The cards that the filter shows, of one list or of all. */
export const shownCards = (within = board) => all(".card:not([hidden])", within);
