// What is remembered from page to page. A browser may refuse, above all for files: then it is forgotten.

/**
 * What was remembered under a name; empty if there is nothing.
 *
 * @param {string} name
 */
export function remembered(name) {
  try {
    return localStorage.getItem(`recount-${name}`) ?? "";
  } catch {
    return "";
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function remember(name, value) {
  try {
    localStorage.setItem(`recount-${name}`, value);
  } catch {
    // Nothing depends on it.
  }
}
