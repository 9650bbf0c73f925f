// Values that are remembered from page to page. If the browser refuses, above all for files, they are lost.

/**
 * The value remembered under a name; empty if there is none.
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
