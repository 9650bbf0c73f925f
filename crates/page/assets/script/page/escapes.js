// Text as it stands in markup, and as it is read.

/**
 * The last of them could make another of what it becomes.
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
 * A text of the markup as it is read.
 *
 * @param {string} words
 */
export function unescaped(words) {
  if (!words.includes("&")) return words;
  return ENTITIES.reduce((text, [entity, letter]) => text.replaceAll(entity, letter), words);
}
