// Runs in the page and describes what overlaps, is cut off, leaves the screen or scrolls sideways. If dialogs are open,
// only the topmost one is examined: it covers the rest by intent.
export const findLayoutProblems = () => {
  // Elements that may be wider than their container: code, tables, pictures and the strip of executions scroll.
  const sidewaysByIntent =
    "pre, [data-scroller], [data-sideways], nav[aria-label=Executions], :has(> table), textarea, input";
  // A shortened text of less than this width, in pixels, is not understandable.
  const leastShown = 60;
  const slack = 2;
  const root =
    Array.from(document.querySelectorAll("[role=dialog], [role=alertdialog]")).at(-1) ?? document.body;
  if (root === document.body) scrollTo({ top: 0, behavior: "instant" });
  const problems = new Set();
  const styles = new Map();
  // Copies the values, because the live object computes them again at each access.
  const styleOf = (element) => {
    let style = styles.get(element);
    if (!style) {
      const { visibility, opacity, overflowX, overflowY, position, clipPath, textOverflow, webkitLineClamp } =
        getComputedStyle(element);
      style = {
        visibility,
        opacity,
        overflowX,
        overflowY,
        position,
        clipPath,
        textOverflow,
        webkitLineClamp,
      };
      styles.set(element, style);
    }
    return style;
  };
  const quote = (text) => `“${text.replaceAll(/\s+/g, " ").trim().slice(0, 50)}”`;
  const nameOf = (element) =>
    `${element.tagName.toLowerCase()} ${quote(element.getAttribute("aria-label") ?? element.textContent ?? "")}`;
  const isShortened = (style) => style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
  const isHidden = (value) => value === "hidden" || value === "clip";
  const scrolls = (value) => value === "auto" || value === "scroll";

  /** The visible part of a box, or null. Records a problem if an ancestor cuts it off without showing so. */
  function visiblePart(element, box, name) {
    if (!element.checkVisibility()) return null;
    let { left, top, right, bottom } = box;
    let isCutShown = false;
    for (
      let ancestor = element;
      ancestor && ancestor !== document.documentElement;
      ancestor = ancestor.parentElement
    ) {
      const style = styleOf(ancestor);
      if (style.visibility !== "visible" || style.opacity === "0" || ancestor.inert) return null;
      // Code has its own horizontal scroll bar.
      isCutShown ||= isShortened(style) || ancestor.matches("[data-line]");
      const clipsX = isHidden(style.overflowX) || scrolls(style.overflowX);
      const clipsY = isHidden(style.overflowY) || scrolls(style.overflowY);
      if (!clipsX && !clipsY) {
        if (style.position === "fixed") break;
        continue;
      }
      const clip = ancestor.getBoundingClientRect();
      // For assistive technology only.
      if (clip.width <= 1 || clip.height <= 1 || style.clipPath !== "none") return null;
      if (
        !isCutShown &&
        isHidden(style.overflowX) &&
        (left < clip.left - slack || right > clip.right + slack)
      )
        problems.add(`${name} is cut sideways by ${nameOf(ancestor)}`);
      if (
        !isCutShown &&
        isHidden(style.overflowY) &&
        (top < clip.top - slack || bottom > clip.bottom + slack)
      )
        problems.add(`${name} is cut in height by ${nameOf(ancestor)}`);
      // Content that scrolls or is visibly shortened counts only as far as it is visible.
      if (clipsX) [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
      if (clipsY) [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
      if (right - left < 1 || bottom - top < 1) return null;
      if (style.position === "fixed") break;
    }
    if (left < -slack || right > innerWidth + slack) problems.add(`${name} leaves the screen sideways`);
    if (root !== document.body && bottom > innerHeight + slack) problems.add(`${name} is below the screen`);
    return { left, top, right, bottom };
  }

  const pieces = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("script, style, option, noscript, iframe")) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      const visible = visiblePart(element, box, quote(node.data));
      if (visible) pieces.push({ element, ...visible, name: quote(node.data) });
    }
  }
  for (const element of root.querySelectorAll("button, input, select, textarea, img")) {
    const box = element.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue;
    const visible = visiblePart(element, box, nameOf(element));
    if (visible) pieces.push({ element, ...visible, name: nameOf(element) });
  }
  for (const element of root.querySelectorAll("*")) {
    const isWider = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;
    if (!isWider) continue;
    const style = styleOf(element);
    if (scrolls(style.overflowX) && !element.matches(sidewaysByIntent))
      problems.add(`${nameOf(element)} scrolls sideways`);
    if (style.textOverflow === "ellipsis" && element.clientWidth < leastShown && element.checkVisibility())
      problems.add(`${nameOf(element)} is shortened to ${element.clientWidth} px`);
  }
  if (document.documentElement.scrollWidth > innerWidth) problems.add("the page scrolls sideways");

  pieces.sort((one, other) => one.top - other.top);
  pieces.forEach((one, i) => {
    for (let at = i + 1; at < pieces.length && pieces[at].top < one.bottom - slack; at++) {
      const other = pieces[at];
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (across > slack && down > slack + 1) problems.add(`${one.name} and ${other.name} overlap`);
    }
  });
  return Array.from(problems);
};
