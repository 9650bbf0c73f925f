// Scheduling: in the next frame, in slices, or when the browser is idle.

/**
 * Calls a function at most once per frame, however often it is requested.
 *
 * @param {() => void} work
 */
export function eachFrame(work) {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      work();
    });
  };
}

/**
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export function pause(milliseconds) {
  return new Promise((resume) => setTimeout(resume, milliseconds));
}

/**
 * Lets the page respond between two slices of long work.
 *
 * @returns {Promise<void>}
 */
export function breathe() {
  const { scheduler } = globalThis;
  return scheduler?.postTask ? scheduler.postTask(() => {}, { priority: "user-visible" }) : pause(0);
}

/**
 * Calls a function when the browser is idle, at the latest after `timeout` milliseconds.
 *
 * @param {(deadline?: IdleDeadline) => void} work
 * @param {number} timeout
 */
export function whenIdle(work, timeout) {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work, { timeout });
  else setTimeout(work, 30);
}
