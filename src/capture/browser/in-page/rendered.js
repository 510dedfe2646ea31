// Says what the browser shows of the page's HTML: which elements are out of sight, where the others stand, and what
// style sheets write on it.
// Elements are counted as `Rendered` in detection's snapshot.ts has it. Runs in a world of its own.
export const rendered = ({ closedTags, maxElements, maxListed, maxText }) => {
  const closed = new Set(closedTags);
  // Never shown, and nobody takes them for text.
  const silent = new Set(["head", "title", "meta", "link", "base", "script", "style", "template"]);
  // By their own functions: a form's inputs hide the form's properties by their names.
  const own = (prototype, name) => {
    /** @type {any} */
    const found = Object.getOwnPropertyDescriptor(prototype, name);
    const native = found.get ?? found.value;
    return (element, argument) => native.call(element, argument);
  };
  const nameOf = own(Element.prototype, "localName");
  const isBoxShown = own(Element.prototype, "checkVisibility");
  const boxOf = own(Element.prototype, "getBoundingClientRect");
  const childrenOf = own(Node.prototype, "childNodes");
  const everything = { opacityProperty: true, visibilityProperty: true };
  const leftToRight = getComputedStyle(document.documentElement).direction === "ltr";

  const ownText = (element) => {
    for (const child of childrenOf(element)) if (child.nodeType === 3 && /\S/.test(child.data)) return true;
    return false;
  };
  const isOpen = (element) => Element.prototype.hasAttribute.call(element, "open");
  /** How an element inside a shown one is kept from sight; "soft" kinds leave it to those inside to be shown again. */
  const reasonOf = (element, style) => {
    if (!isBoxShown(element, everything)) {
      if (style.display === "contents") return style.visibility === "visible" ? "" : "soft";
      return isBoxShown(element) && style.visibility !== "visible" ? "soft" : "hidden";
    }
    if (style.contentVisibility === "hidden") return "hidden";
    if (style.fontSize === "0px" && ownText(element)) return "soft cloaked";
    const { position } = style;
    if (position === "absolute" || position === "fixed") {
      if (/^rect\((0px|1px),? \1,? \1,? \1\)$/.test(style.clip)) return "cloaked";
      if (/^inset\((50|100)%/.test(style.clipPath)) return "cloaked";
      const { right, bottom, left, top } = boxOf(element);
      if (right + scrollX < -500 || bottom + scrollY < -500) return "cloaked";
      if ((leftToRight && right + scrollX <= 0) || bottom + scrollY <= 0) return "hidden";
      if (position === "fixed" && (left >= innerWidth || top >= innerHeight)) return "hidden";
    }
    const { offsetWidth, offsetHeight } = element;
    // A picture hides no words in a small box: what it stands for is read aloud whether or not its file came.
    if (nameOf(element) === "img") return "";
    if ((offsetHeight <= 1 || offsetWidth <= 1) && /hidden|clip/.test(style.overflow)) {
      return offsetHeight <= 1 && offsetWidth <= 1 ? "cloaked" : "hidden";
    }
    if (Number.parseFloat(style.textIndent) < -500 && ownText(element)) return "soft cloaked";
    if (nameOf(element) === "details" && !isOpen(element) && ownText(element)) return "soft";
    return "";
  };
  /** Whether some rule may write words: asking for two more styles of each element takes as long as all the rest. */
  const mayWrite = (rules) => {
    for (const rule of rules) {
      if (rule.cssRules?.length > 0 && mayWrite(rule.cssRules)) return true;
      if (rule.styleSheet && mayWrite(rule.styleSheet.cssRules)) return true;
      const content = rule.style?.content ?? "";
      if (
        content !== "" &&
        /[\p{L}\p{N}]/u.test(content.replace(/^(none|normal|inherit|initial|unset)$/, ""))
      )
        return true;
    }
    return false;
  };
  const writes = () => {
    try {
      return [...document.styleSheets, ...document.adoptedStyleSheets].some((sheet) =>
        mayWrite(sheet.cssRules),
      );
    } catch {
      // Another site's sheet is not for reading.
      return true;
    }
  };
  const isWritten = writes();
  const writtenOn = (element, pseudo) => {
    if (!isWritten) return "";
    const style = getComputedStyle(element, pseudo);
    const { content } = style;
    if (content === "none" || content === "normal" || content.length < 3) return "";
    if (style.display === "none" || style.visibility !== "visible") return "";
    const pieces = content.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    const text = pieces.map((piece) => piece.slice(1, -1).replace(/\\(.)/g, "$1")).join("");
    // Signs and icons are no words.
    return /[\p{L}\p{N}]/u.test(text) ? text.replace(/\p{Co}/gu, "").slice(0, maxText) : "";
  };

  const hidden = [];
  const cloaked = [];
  const shown = [];
  const written = [];
  const boxes = [];
  let count = 0;
  const before = [0, 0, 0, 0];
  /** An element's box, packed as `readBoxes` in detection has it. */
  const place = (element) => {
    const { left, top, width, height } = boxOf(element);
    const now = [left + scrollX, top + scrollY, width, height].map(Math.round);
    const more = now.map((value, i) => (value === before[i] ? "" : (value - before[i]).toString(36)));
    now.forEach((value, i) => (before[i] = value));
    return more.join(",").replace(/(?<!,),+$/, "");
  };
  const look = (element, outer) => {
    const at = count++;
    boxes.push("-");
    if (outer === "gone" || silent.has(nameOf(element))) return "gone";
    const style = getComputedStyle(element);
    const reason = reasonOf(element, style);
    if (reason === "") {
      boxes[at] = place(element);
      if (outer === "soft") shown.push(at);
      const before = writtenOn(element, "::before");
      const after = writtenOn(element, "::after");
      if (before !== "" || after !== "") {
        written.push({ at, ...(before === "" ? {} : { before }), ...(after === "" ? {} : { after }) });
      }
      return "";
    }
    if (outer === "") (reason.endsWith("cloaked") ? cloaked : hidden).push(at);
    return reason.startsWith("soft") ? "soft" : "gone";
  };
  /** The next element outside the one the walker stands on, null behind the root. */
  const leave = (walker, states) => {
    while (states.length > 1) {
      const next = walker.nextSibling();
      if (next) return next;
      walker.parentNode();
      states.pop();
    }
    return null;
  };
  const root = document.documentElement;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  const states = [""];
  for (let element = root; element && count <= maxElements; ) {
    const state = look(element, states.at(-1));
    const inner = closed.has(nameOf(element)) ? null : walker.firstChild();
    if (inner) states.push(state);
    element = inner ?? leave(walker, states);
  }
  const listed = hidden.length + cloaked.length + shown.length + written.length;
  if (count > maxElements) return { rendered: null, boxes: "" };
  const rendered = { elements: count, hidden, cloaked, shown, written };
  return { rendered: listed > maxListed ? null : rendered, elements: count, boxes: boxes.join(";") };
};
