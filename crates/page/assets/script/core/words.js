// Search words, which may occur anywhere in a text.

/**
 * The words of a query, in lower case.
 *
 * @param {string} query
 */
export function wordsIn(query) {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * Whether a text contains all of these words.
 *
 * @param {string[]} words
 * @param {string} text
 */
export function hasWords(words, text) {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}
