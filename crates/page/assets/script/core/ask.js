// Asking the server. The cookie that the page came with is sent along by the browser.

/**
 * The text at an address; nothing if the server refuses or cannot be reached.
 *
 * @param {string} address
 * @returns {Promise<string | null>}
 */
export async function askText(address) {
  try {
    const response = await fetch(address);
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

/**
 * The JSON at an address; nothing if the server refuses, cannot be reached, or is cut off. The caller says what it is:
 * both ends are of one version.
 *
 * @param {string} address
 * @returns {Promise<any>}
 */
export async function askJson(address) {
  const text = await askText(address);
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
