// Reports what the browser shows of the page's HTML: which elements are hidden, the boxes of the others, and the text
// that style sheets add.
// Elements are counted as `Rendered` in detection's snapshot.ts defines. Runs in an isolated world.
export const rendered = ({ closedTags, maxElements, maxListed, maxText }) => {
  const closed = new Set(closedTags);
  // Never shown, and never taken for text.
  const neverShown = new Set(["head", "title", "meta", "link", "base", "script", "style", "template"]);
  // Calls the prototype's function, because inputs can shadow a form's properties by their names.
  const nativeCall = (prototype, name) => {
    /** @type {any} */
    const found = Object.getOwnPropertyDescriptor(prototype, name);
    const native = found.get ?? found.value;
    return (element, argument) => native.call(element, argument);
  };
  const nameOf = nativeCall(Element.prototype, "localName");
  const isBoxShown = nativeCall(Element.prototype, "checkVisibility");
  const boxOf = nativeCall(Element.prototype, "getBoundingClientRect");
  const childrenOf = nativeCall(Node.prototype, "childNodes");
  const visibilityOptions = { opacityProperty: true, visibilityProperty: true };
  const leftToRight = getComputedStyle(document.documentElement).direction === "ltr";

  const hasOwnText = (element) => {
    for (const child of childrenOf(element)) if (child.nodeType === 3 && /\S/.test(child.data)) return true;
    return false;
  };
  const isOpen = (element) => Element.prototype.hasAttribute.call(element, "open");
  /** How an element inside a visible one is hidden; elements inside a "soft" kind can be visible again. */
  const reasonOf = (element, style) => {
    if (!isBoxShown(element, visibilityOptions)) {
      if (style.display === "contents") return style.visibility === "visible" ? "" : "soft";
      return isBoxShown(element) && style.visibility !== "visible" ? "soft" : "hidden";
    }
    if (style.contentVisibility === "hidden") return "hidden";
    if (style.fontSize === "0px" && hasOwnText(element)) return "soft cloaked";
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
    // A small box does not hide the words of an image: its alternative text is read aloud even without the file.
    if (nameOf(element) === "img") return "";
    if ((offsetHeight <= 1 || offsetWidth <= 1) && /hidden|clip/.test(style.overflow)) {
      return offsetHeight <= 1 && offsetWidth <= 1 ? "cloaked" : "hidden";
    }
    if (Number.parseFloat(style.textIndent) < -500 && hasOwnText(element)) return "soft cloaked";
    if (nameOf(element) === "details" && !isOpen(element) && hasOwnText(element)) return "soft";
    return "";
  };
  /** Whether a rule may add words: reading two more styles of each element takes as long as all the rest. */
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
  const sheetsMayWrite = () => {
    try {
      return [...document.styleSheets, ...document.adoptedStyleSheets].some((sheet) =>
        mayWrite(sheet.cssRules),
      );
    } catch {
      // The style sheet of another site can't be read.
      return true;
    }
  };
  const mayHaveText = sheetsMayWrite();
  const writtenOn = (element, pseudo) => {
    if (!mayHaveText) return "";
    const style = getComputedStyle(element, pseudo);
    const { content } = style;
    if (content === "none" || content === "normal" || content.length < 3) return "";
    if (style.display === "none" || style.visibility !== "visible") return "";
    const pieces = content.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    const text = pieces.map((piece) => piece.slice(1, -1).replace(/\\(.)/g, "$1")).join("");
    // Symbols and icons are not words.
    return /[\p{L}\p{N}]/u.test(text) ? text.replace(/\p{Co}/gu, "").slice(0, maxText) : "";
  };

  const hidden = [];
  const cloaked = [];
  const shown = [];
  const written = [];
  const boxes = [];
  let count = 0;
  const lastBox = [0, 0, 0, 0];
  /** An element's box, packed as `readBoxes` in detection expects it. */
  const packBox = (element) => {
    const { left, top, width, height } = boxOf(element);
    const box = [left + scrollX, top + scrollY, width, height].map(Math.round);
    const deltas = box.map((value, i) => (value === lastBox[i] ? "" : (value - lastBox[i]).toString(36)));
    box.forEach((value, i) => (lastBox[i] = value));
    return deltas.join(",").replace(/(?<!,),+$/, "");
  };
  const inspect = (element, outer) => {
    const at = count++;
    boxes.push("-");
    if (outer === "gone" || neverShown.has(nameOf(element))) return "gone";
    const style = getComputedStyle(element);
    const reason = reasonOf(element, style);
    if (reason === "") {
      boxes[at] = packBox(element);
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
  /** The next element outside the walker's current one; null after the root. */
  const moveOutside = (walker, states) => {
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
    const state = inspect(element, states.at(-1));
    const inner = closed.has(nameOf(element)) ? null : walker.firstChild();
    if (inner) states.push(state);
    element = inner ?? moveOutside(walker, states);
  }
  const listed = hidden.length + cloaked.length + shown.length + written.length;
  if (count > maxElements) return { rendered: null, boxes: "" };
  const rendered = { elements: count, hidden, cloaked, shown, written };
  return { rendered: listed > maxListed ? null : rendered, elements: count, boxes: boxes.join(";") };
};
