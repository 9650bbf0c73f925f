// Keys: which of them are meant for the page.

const FIELDS = 'input:not([type="checkbox"], [type="radio"]), select, textarea, [contenteditable]';

/**
 * Whether an event happens in a form field.
 *
 * @param {Event} event
 */
export function isInField({ target }) {
  return target instanceof Element && target.closest(FIELDS) !== null;
}

/**
 * Whether a modifier key is held, which makes a key the browser's.
 *
 * @param {KeyboardEvent | MouseEvent} event
 */
export function hasModifier(event) {
  return event.ctrlKey || event.metaKey || event.altKey;
}
