// Requests to the server. The browser sends the page's cookie along.

/**
 * The text at a URL; null if the server refuses or cannot be reached.
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

/** Whether the server no longer knows this browser: it was restarted, or all browsers were signed out. */
export async function isSignedOut() {
  try {
    return (await fetch("/", { method: "HEAD" })).status === 401;
  } catch {
    return false;
  }
}

/**
 * The JSON at a URL; null if the server refuses, cannot be reached, or the response is incomplete. The caller knows its
 * type: page and server have the same version.
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
