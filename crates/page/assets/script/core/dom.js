// Elements: finding and creating them, and reading data that the server wrote into the page.

/** The root element. Its `data-*` attributes hold the state that stylesheets depend on. */
export const root = document.documentElement;

/**
 * The first element that matches.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @overload
 * @param {K} selector
 * @param {ParentNode} [within]
 * @returns {HTMLElementTagNameMap[K] | null}
 */
/**
 * @template {Element} [E=HTMLElement]
 * @overload
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {E | null}
 */
/**
 * @param {string} selector
 * @param {ParentNode} [within]
 */
export function one(selector, within = document) {
  return within.querySelector(selector);
}

/**
 * The first element that matches, on a page that always has one.
 *
 * @template {Element} [E=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {E}
 */
export function need(selector, within = document) {
  const found = /** @type {E | null} */ (within.querySelector(selector));
  if (!found) throw new Error(`there is no ${selector}`);
  return found;
}

/**
 * All elements that match.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @overload
 * @param {K} selector
 * @param {ParentNode} [within]
 * @returns {HTMLElementTagNameMap[K][]}
 */
/**
 * @template {Element} [E=HTMLElement]
 * @overload
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {E[]}
 */
/**
 * @param {string} selector
 * @param {ParentNode} [within]
 */
export function all(selector, within = document) {
  return [...within.querySelectorAll(selector)];
}

/**
 * The target of an event, or its nearest ancestor, that matches.
 *
 * @template {Element} [E=HTMLElement]
 * @param {Event} event
 * @param {string} selector
 * @returns {E | null}
 */
export function closest({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/**
 * An element with attributes and children.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number>} [attributes]
 * @param {(Node | string)[]} children
 */
export function make(name, attributes = {}, ...children) {
  return dressed(document.createElement(name), attributes, children);
}

/**
 * The same for SVG elements.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number>} [attributes]
 * @param {(Node | string)[]} children
 */
export function makeSvg(name, attributes = {}, ...children) {
  return dressed(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 */
function dressed(element, attributes, children) {
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, string | number>} attributes
 */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

/**
 * Parses trusted markup into elements outside the document.
 *
 * @param {string} markup
 */
export function parseMarkup(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return template.content;
}

/**
 * Sets a text if it differs: reading is cheaper than a new layout.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * The JSON in the element with this id, or `otherwise` if it is missing or invalid.
 *
 * @template T
 * @param {string} id
 * @param {T} otherwise
 * @param {Document} [page]
 * @returns {T}
 */
export function readData(id, otherwise, page = document) {
  try {
    return JSON.parse(page.getElementById(id)?.textContent || "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}
