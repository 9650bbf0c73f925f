// The server of a growing page, and its requests.

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
 * @property {string} mark changes with the content of the window
 * @property {number} count number of steps
 */

/**
 * The updated parts of a page whose session has grown.
 *
 * @typedef {object} Growth
 * @property {WindowFacts[]} windows
 * @property {[name: string, opening: string][]} threads
 * @property {Turn[]} turns
 * @property {string} rail
 * @property {string} head
 * @property {string} title
 */

/** The URL path of the session on the server. */
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
 * The windows that must be loaded to show a place, and the step that shows it.
 *
 * @param {string} name
 * @returns {Promise<{ windows: string[], anchor: string } | null>}
 */
export const fetchPlace = (name) => askJson(`${home}/place/${encodeURIComponent(name)}`);
