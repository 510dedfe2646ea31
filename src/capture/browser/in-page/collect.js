// Reads the page as a person would: blocks of visible text, links, forms, scripts. Runs in an isolated world. The page
// may contain anything, so each field and the total size of each list are limited.
export const collect = ({ maxBlocks, maxText, maxLinks, maxList, maxMeasured }) => {
  // Stored under symbols, because a page's ids are names on the global object of every world.
  const numbers = globalThis[Symbol.for("numbers")] ?? new Map();
  const foreign = globalThis[Symbol.for("foreign")] ?? new Map();
  // Calls the prototype's function, because inputs can shadow a form's properties by their names.
  const nativeCall = (prototype, name) => {
    /** @type {any} */
    const found = Object.getOwnPropertyDescriptor(prototype, name);
    const native = found.get ?? found.value;
    return (element, argument) => native.call(element, argument);
  };
  const tagOf = nativeCall(Element.prototype, "tagName");
  const attribute = nativeCall(Element.prototype, "getAttribute");
  const rectOf = nativeCall(Element.prototype, "getBoundingClientRect");
  const shadowOf = nativeCall(Element.prototype, "shadowRoot");
  const findIn = nativeCall(Element.prototype, "querySelectorAll");
  const nodesOf = nativeCall(Node.prototype, "childNodes");
  const kindOf = nativeCall(Node.prototype, "nodeType");
  const attributesOf = nativeCall(Element.prototype, "attributes");
  const unseen = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "TITLE", "META", "LINK", "SVG"]);
  const roles = {
    H1: "heading",
    H2: "heading",
    H3: "heading",
    H4: "heading",
    H5: "heading",
    H6: "heading",
    P: "paragraph",
    BLOCKQUOTE: "paragraph",
    LI: "item",
    DT: "item",
    DD: "item",
    TD: "cell",
    TH: "cell",
    BUTTON: "control",
    PRE: "code",
  };
  const areas = { MAIN: "main", NAV: "nav", HEADER: "header", FOOTER: "footer", ASIDE: "aside" };
  const areaRoles = {
    main: "main",
    navigation: "nav",
    banner: "header",
    contentinfo: "footer",
    complementary: "aside",
  };
  const inline = /^(inline|contents|ruby|none)/;
  const blocks = [];
  let textLength = 0;
  let truncated = false;
  let run = "";
  // The first and last text node of a run: they give its location on the picture.
  let runEnds = null;
  const texts = [];
  const prior = [0, 0, 0, 0, 0];
  const boxOf = (textNodes, element) => {
    // Inside a frame, boxes are relative to the frame's corner.
    if (!textNodes || textNodes[0].ownerDocument !== document) return rectOf(element);
    const range = new Range();
    range.setStart(textNodes[0], 0);
    range.setEnd(textNodes[1], textNodes[1].data.length);
    return range.getBoundingClientRect();
  };
  /** A block's location, packed as `readTextBoxes` in detection expects it. */
  const packLocation = (textNodes, owner) => {
    if (!owner) return "-";
    const box = boxOf(textNodes, owner);
    const values = [numbers.get(owner), box.left + scrollX, box.top + scrollY, box.width, box.height].map(
      Math.round,
    );
    const deltas = values.map((value, i) => (value === prior[i] ? "" : (value - prior[i]).toString(36)));
    values.forEach((value, i) => (prior[i] = value));
    return deltas.join(",").replace(/(?<!,),+$/, "");
  };
  const flush = (context) => {
    const text = context.pre
      ? run.replace(/(?<![^\S\n])[^\S\n]+$/gm, "").replace(/^\n+|\n+$/g, "")
      : run
          .replace(/[^\S\n]+/g, " ")
          .replace(/ ?\n ?/g, "\n")
          .trim();
    run = "";
    const textNodes = runEnds;
    runEnds = null;
    if (text === "") return;
    if (blocks.length >= maxBlocks || textLength >= maxText) {
      truncated = true;
      return;
    }
    textLength += text.length;
    blocks.push({ role: context.role, area: context.area, text: text.slice(0, maxText) });
    texts.push(packLocation(textNodes, context.owner));
  };

  const childrenOf = (element) => {
    const shadow = shadowOf(element);
    if (shadow) return shadow.childNodes;
    if (tagOf(element) === "SLOT" && element.assignedNodes) {
      const assigned = element.assignedNodes({ flatten: true });
      if (assigned.length > 0) return assigned;
    }
    return isFrame(element) ? frameContent(element) : nodesOf(element);
  };
  const isFrame = (element) => tagOf(element) === "IFRAME" || tagOf(element) === "FRAME";
  // A frame too small to read only serves to count visitors.
  const isReadable = (element) => element.offsetWidth > 8 && element.offsetHeight > 8;
  const frameContent = (element) => {
    const body = isReadable(element) ? element.contentDocument?.body : null;
    return body ? [body] : [];
  };
  /** Adds the text that was read inside a frame of another site. */
  const addForeign = (element, context) => {
    for (const block of isReadable(element) ? (foreign.get(element) ?? []) : []) {
      run = block.text;
      flush({ ...block, area: block.area || context.area, pre: true });
    }
  };
  const controlText = (element) => {
    if (element.tagName === "SELECT") return element.selectedOptions[0]?.label ?? "";
    if (element.tagName === "TEXTAREA") return element.value || element.placeholder;
    if (element.tagName !== "INPUT") return "";
    if (/^(hidden|password|checkbox|radio|file|range|color|image)$/.test(element.type)) return "";
    return element.value || element.placeholder;
  };
  const walk = (element, context, depth) => {
    if (depth > 1_500 || truncated) return;
    const tag = tagOf(element).toUpperCase();
    if (unseen.has(tag)) return;
    const style = getComputedStyle(element);
    if (style.display === "none") return;
    // To a reader a button is separate text, whatever its display style.
    const isBlock = tag === "BUTTON" || !inline.test(style.display);
    const isApart = style.display.startsWith("inline-");
    const next = {
      role: attribute(element, "role") === "heading" ? "heading" : (roles[tag] ?? context.role),
      area: areaRoles[attribute(element, "role")] ?? areas[tag] ?? context.area,
      pre: style.whiteSpaceCollapse === "preserve",
      shown: style.visibility === "visible",
      owner:
        numbers.has(element) && (isBlock || isFrame(element) || shadowOf(element)) ? element : context.owner,
    };
    if (isBlock) flush(context);
    if (tag === "BR") run += "\n";
    else if (tag === "INPUT" || tag === "TEXTAREA" || tag === "SELECT") {
      flush(context);
      if (next.shown) run = controlText(element);
      flush({ ...next, role: "control" });
    } else {
      if (isApart) run += " ";
      if (next.shown && foreign.has(element)) {
        flush(next);
        addForeign(element, next);
      }
      for (const child of childrenOf(element)) {
        const kind = kindOf(child);
        if (kind === 3) {
          if (!next.shown) continue;
          run += next.pre ? child.data : child.data.replace(/\s+/g, " ");
          if (/\S/.test(child.data)) runEnds = [runEnds?.[0] ?? child, child];
        } else if (kind === 1) walk(child, next, depth + 1);
      }
    }
    if (isBlock) flush(next);
    else if (isApart) run += " ";
  };
  const body = document.body ?? document.documentElement;
  const rootContext = { role: "other", area: "", pre: false, shown: true, owner: null };
  if (body) walk(body, rootContext, 0);
  flush(rootContext);

  const queryAll = (selector) => [...document.querySelectorAll(selector)];
  const fit = (items, max) => {
    let size = 0;
    const end = items.findIndex((item) => {
      size += JSON.stringify(item).length;
      return size > max;
    });
    if (end !== -1) truncated = true;
    return end === -1 ? items : items.slice(0, end);
  };
  /** A lower bound for the length of the page's HTML; counts only until it is known to be too long. */
  const measure = () => {
    let length = document.documentElement?.textContent.length ?? 0;
    for (const element of document.getElementsByTagName("*")) {
      const attributes = attributesOf(element);
      for (let at = 0; at < attributes.length; at++) length += attributes[at].value.length;
      if (length > maxMeasured) break;
    }
    return length;
  };
  const resolve = (value) => {
    try {
      return new URL(value, document.baseURI).href;
    } catch {
      return value;
    }
  };
  const clean = (text) => text.slice(0, 2_000).replace(/\s+/g, " ").trim().slice(0, 200);
  const addressOf = (element, name) => resolve(attribute(element, name) ?? "").slice(0, 4_096);
  const anchors = queryAll("a[href],area[href]");
  if (anchors.length > maxLinks) truncated = true;
  const links = anchors.slice(0, maxLinks).map((anchor) => ({
    href: addressOf(anchor, "href"),
    text: clean(anchor.textContent ?? ""),
  }));
  const typeOf = (input) =>
    tagOf(input) === "INPUT" ? (attribute(input, "type") ?? "text").slice(0, 50).toLowerCase() : input.type;
  const forms = queryAll("form")
    .slice(0, 500)
    .map((form) => ({
      action: addressOf(form, "action"),
      method: (attribute(form, "method") ?? "get").slice(0, 50).toLowerCase(),
      inputs: [...findIn(form, "input,select,textarea,button")]
        .slice(0, 500)
        .map((input) => ({ name: (attribute(input, "name") ?? "").slice(0, 200), type: typeOf(input) })),
    }));
  const scriptSources = queryAll("script[src]").map((script) => addressOf(script, "src"));
  const page = document.documentElement;
  const facts = {
    title: document.title.slice(0, 1_000),
    blocks,
    texts: texts.join(";"),
    links: fit(links, maxList),
    forms: fit(forms, maxList),
    scriptSources: fit(scriptSources, maxList),
    hasPassword: document.querySelector("input[type=password]") !== null,
    htmlLength: measure(),
    width: page?.clientWidth ?? 0,
    height: page ? Math.max(page.scrollHeight, document.body?.scrollHeight ?? 0) : 0,
  };
  return { ...facts, truncated };
};
