// Keys: which of them are meant for the page.

const FIELDS = 'input:not([type="checkbox"], [type="radio"]), select, textarea, [contenteditable]';

/**
 * Whether an event happens where one types or chooses.
 *
 * @param {Event} event
 */
export function isInField({ target }) {
  return target instanceof Element && target.closest(FIELDS) !== null;
}

/**
 * Whether a key is pressed together with one that makes it the browser's.
 *
 * @param {KeyboardEvent | MouseEvent} event
 */
export function hasModifier(event) {
  return event.ctrlKey || event.metaKey || event.altKey;
}
