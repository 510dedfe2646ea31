// Waits until something on the page matches, at most so long; false for what is no selector.
export const awaitElement = async ({ selector, waitMs }) => {
  const end = performance.now() + waitMs;
  try {
    while (!document.querySelector(selector) && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return true;
  } catch {
    return false;
  }
};
