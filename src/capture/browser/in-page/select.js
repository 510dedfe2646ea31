// Finds what the job's selectors mean on this page and keeps it for collect.js, in our own world.
export const select = ({ selector, ignore }) => {
  const find = (text) => {
    try {
      return [...document.querySelectorAll(text)];
    } catch {
      return null;
    }
  };
  const roots = selector === null ? null : find(selector);
  if (selector !== null && roots === null) return { problem: "invalid" };
  const ignored = new Set();
  for (const each of ignore) {
    // What is no selector is a text pattern, and not ours to apply.
    for (const element of find(each) ?? []) ignored.add(element);
  }
  // A match inside another match would be counted twice.
  const outermost = roots?.filter((one) => !roots.some((other) => other !== one && other.contains(one)));
  const isNone = outermost?.length === 0;
  globalThis[Symbol.for("selection")] = { roots: isNone ? null : (outermost ?? null), ignored };
  for (const element of ignored) element.style?.setProperty("visibility", "hidden", "important");
  if (isNone) return { problem: "none" };
  if (!outermost) return { problem: null, box: null };
  const boxes = outermost.map((element) => element.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left)) + scrollX;
  const top = Math.min(...boxes.map((box) => box.top)) + scrollY;
  const right = Math.max(...boxes.map((box) => box.right)) + scrollX;
  const bottom = Math.max(...boxes.map((box) => box.bottom)) + scrollY;
  return { problem: null, box: { x: left, y: top, width: right - left, height: bottom - top } };
};
