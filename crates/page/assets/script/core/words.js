// Words that somebody types to find something, wherever they stand in a text.

/**
 * The words of a query, in lower case.
 *
 * @param {string} query
 */
export function wordsIn(query) {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * Whether a text has all of these words.
 *
 * @param {string[]} words
 * @param {string} text
 */
export function hasWords(words, text) {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}
