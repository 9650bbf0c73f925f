// Escaped text of markup, and its plain form.

/**
 * The ampersand comes last: its result could form another entity.
 * @type {[entity: string, letter: string][]}
 */
const ENTITIES = [
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#39;", "'"],
  ["&amp;", "&"],
];

/**
 * The plain form of an escaped text.
 *
 * @param {string} words
 */
export function unescaped(words) {
  if (!words.includes("&")) return words;
  return ENTITIES.reduce((text, [entity, letter]) => text.replaceAll(entity, letter), words);
}
