// Runs in the page: what overlaps, is cut, leaves the screen or scrolls sideways, in words. The topmost dialog, where
// there is one, is all that is judged: what lies under it is covered by intent.
export const misplaced = () => {
  // What may be wider than its place: code, tables, pictures and the strip of executions scroll by intent.
  const sidewaysByIntent =
    "pre, [data-scroller], [data-sideways], nav[aria-label=Executions], :has(> table), textarea, input";
  // Less than this of a shortened text tells nobody what it was.
  const leastShown = 60;
  const slack = 2;
  const root =
    Array.from(document.querySelectorAll("[role=dialog], [role=alertdialog]")).at(-1) ?? document.body;
  if (root === document.body) scrollTo({ top: 0, behavior: "instant" });
  const wrong = new Set();
  const styles = new Map();
  // Values rather than the live object, which computes them again each time it is asked.
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
  const words = (text) => `“${text.replaceAll(/\s+/g, " ").trim().slice(0, 50)}”`;
  const nameOf = (element) =>
    `${element.tagName.toLowerCase()} ${words(element.getAttribute("aria-label") ?? element.textContent ?? "")}`;
  const isShortened = (style) => style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
  const isHidden = (value) => value === "hidden" || value === "clip";
  const scrolls = (value) => value === "auto" || value === "scroll";

  /** What of a box can be seen; null when nothing. Says when something cuts it that does not say so. */
  function visiblePart(element, box, name) {
    if (!element.checkVisibility()) return null;
    let { left, top, right, bottom } = box;
    let isSaid = false;
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
      const style = styleOf(at);
      if (style.visibility !== "visible" || style.opacity === "0" || at.inert) return null;
      // Code moves sideways by a bar of its own.
      isSaid ||= isShortened(style) || at.matches("[data-line]");
      const clipsX = isHidden(style.overflowX) || scrolls(style.overflowX);
      const clipsY = isHidden(style.overflowY) || scrolls(style.overflowY);
      if (!clipsX && !clipsY) {
        if (style.position === "fixed") break;
        continue;
      }
      const clip = at.getBoundingClientRect();
      // For assistive technology only.
      if (clip.width <= 1 || clip.height <= 1 || style.clipPath !== "none") return null;
      if (!isSaid && isHidden(style.overflowX) && (left < clip.left - slack || right > clip.right + slack))
        wrong.add(`${name} is cut sideways by ${nameOf(at)}`);
      if (!isSaid && isHidden(style.overflowY) && (top < clip.top - slack || bottom > clip.bottom + slack))
        wrong.add(`${name} is cut in height by ${nameOf(at)}`);
      // What scrolls, or is shortened in words, is seen as far as it goes.
      if (clipsX) [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
      if (clipsY) [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
      if (right - left < 1 || bottom - top < 1) return null;
      if (style.position === "fixed") break;
    }
    if (left < -slack || right > innerWidth + slack) wrong.add(`${name} leaves the screen sideways`);
    if (root !== document.body && bottom > innerHeight + slack) wrong.add(`${name} is below the screen`);
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
      const seen = visiblePart(element, box, words(node.data));
      if (seen) pieces.push({ element, ...seen, name: words(node.data) });
    }
  }
  for (const element of root.querySelectorAll("button, input, select, textarea, img")) {
    const box = element.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue;
    const seen = visiblePart(element, box, nameOf(element));
    if (seen) pieces.push({ element, ...seen, name: nameOf(element) });
  }
  for (const element of root.querySelectorAll("*")) {
    const isWider = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;
    if (!isWider) continue;
    const style = styleOf(element);
    if (scrolls(style.overflowX) && !element.matches(sidewaysByIntent))
      wrong.add(`${nameOf(element)} scrolls sideways`);
    if (style.textOverflow === "ellipsis" && element.clientWidth < leastShown && element.checkVisibility())
      wrong.add(`${nameOf(element)} is shortened to ${element.clientWidth} px`);
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.add("the page scrolls sideways");

  pieces.sort((one, other) => one.top - other.top);
  pieces.forEach((one, i) => {
    for (let at = i + 1; at < pieces.length && pieces[at].top < one.bottom - slack; at++) {
      const other = pieces[at];
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (across > slack && down > slack + 1) wrong.add(`${one.name} and ${other.name} overlap`);
    }
  });
  return Array.from(wrong);
};
