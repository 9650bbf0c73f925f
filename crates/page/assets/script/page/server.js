// The server that a growing page comes from, and what it can be asked for.

import { askJson } from "core/ask.js";
import { grows } from "./page.js";

/** @import { Piece } from "./parts.js" */
/** @import { Turn } from "./page.js" */

/**
 * A window, as the server describes it.
 *
 * @typedef {object} WindowFacts
 * @property {string} name
 * @property {string} within the id of the thread
 * @property {number} rows
 * @property {[first: number, last: number] | null} turns
 * @property {string} mark another one when the window says something else
 * @property {number} count how many steps it shows
 */

/**
 * What a page shows when its session has grown.
 *
 * @typedef {object} Growth
 * @property {WindowFacts[]} windows
 * @property {[name: string, opening: string][]} threads
 * @property {Turn[]} turns
 * @property {string} rail
 * @property {string} head
 * @property {string} title
 */

/** Where the session is on the server. */
const home = grows ? location.pathname.replace(/\/$/, "") : "";

/** The id of the session on the server. */
export const sessionId = decodeURIComponent(home.split("/").at(-1) ?? "");

/**
 * A window: the one chunk of a part.
 *
 * @param {string} name
 * @returns {Promise<Piece | null>}
 */
export const fetchWindow = (name) => askJson(`${home}/window/${name}`);

/** @returns {Promise<Growth | null>} */
export const fetchGrowth = () => askJson(`${home}/growth`);

/**
 * The windows that have to be there for a place to be seen, and the step that says it.
 *
 * @param {string} name
 * @returns {Promise<{ windows: string[], anchor: string } | null>}
 */
export const fetchPlace = (name) => askJson(`${home}/place/${encodeURIComponent(name)}`);
