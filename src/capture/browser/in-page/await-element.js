// Waits up to `waitMs` until an element matches and is shown, and the page shows the text; returns false for an invalid
// selector. Elements that are never shown, such as scripts, only have to be there.
export const awaitElement = async ({ selector, text, waitMs }) => {
  const end = performance.now() + waitMs;
  const neverShown = "head *,script,style,template,noscript,input[type=hidden]";
  const isThere = (element) => element.matches(neverShown) || element.checkVisibility();
  const hasElement = () => selector === undefined || [...document.querySelectorAll(selector)].some(isThere);
  const squeeze = (words) => words.replace(/\s+/g, " ").trim().toLowerCase();
  const hasText = () => text === undefined || squeeze(document.body?.innerText ?? "").includes(squeeze(text));
  try {
    while (!(hasElement() && hasText()) && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return true;
  } catch {
    return false;
  }
};
