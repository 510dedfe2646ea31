// Reads the page as a person would: blocks of visible text, links, forms, scripts. Runs in a world of its own.
export const collect = ({ maxBlocks, maxText, maxLinks }) => {
  const { roots = null, ignored = new Set() } = globalThis.selection ?? {};
  const foreign = globalThis.foreign ?? new Map();
  const scope = roots ?? (document.body ? [document.body] : [document.documentElement]);
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
  const flush = (context) => {
    const text = context.pre
      ? run.replace(/[^\S\n]+$/gm, "").replace(/^\n+|\n+$/g, "")
      : run
          .replace(/[^\S\n]+/g, " ")
          .replace(/ ?\n ?/g, "\n")
          .trim();
    run = "";
    if (text === "") return;
    if (blocks.length >= maxBlocks || textLength >= maxText) {
      truncated = true;
      return;
    }
    textLength += text.length;
    blocks.push({ role: context.role, area: context.area, text: text.slice(0, maxText) });
  };

  const childrenOf = (element) => {
    if (element.shadowRoot) return element.shadowRoot.childNodes;
    if (element.tagName === "SLOT" && element.assignedNodes) {
      const assigned = element.assignedNodes({ flatten: true });
      if (assigned.length > 0) return assigned;
    }
    return isFrame(element) ? framed(element) : element.childNodes;
  };
  const isFrame = (element) => element.tagName === "IFRAME" || element.tagName === "FRAME";
  // A frame too small to read is there for counting visitors.
  const isReadable = (element) => element.offsetWidth > 8 && element.offsetHeight > 8;
  const framed = (element) => {
    const body = isReadable(element) ? element.contentDocument?.body : null;
    return body ? [body] : [];
  };
  /** What was read in a frame of another site, by itself. */
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
    if (depth > 1_500 || truncated || ignored.has(element)) return;
    const tag = element.tagName?.toUpperCase() ?? "";
    if (unseen.has(tag)) return;
    const style = getComputedStyle(element);
    if (style.display === "none") return;
    // A button stands alone to its reader, whatever box it has.
    const isBlock = tag === "BUTTON" || !inline.test(style.display);
    const isApart = style.display.startsWith("inline-");
    const next = {
      role: element.getAttribute("role") === "heading" ? "heading" : (roles[tag] ?? context.role),
      area: areaRoles[element.getAttribute("role")] ?? areas[tag] ?? context.area,
      pre: style.whiteSpaceCollapse === "preserve",
      shown: style.visibility === "visible",
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
        if (child.nodeType === 3) {
          if (next.shown) run += next.pre ? child.data : child.data.replace(/\s+/g, " ");
        } else if (child.nodeType === 1) walk(child, next, depth + 1);
      }
    }
    if (isBlock) flush(next);
    else if (isApart) run += " ";
  };
  for (const element of scope) {
    if (!element) continue;
    const around = { role: "other", area: "", pre: false, shown: true };
    for (let up = element.parentElement; up && around.area === ""; up = up.parentElement) {
      around.area = areaRoles[up.getAttribute("role")] ?? areas[up.tagName] ?? "";
    }
    walk(element, around, 0);
    flush(around);
  }

  const isIgnored = (element) => {
    if (ignored.size === 0) return false;
    for (let up = element; up; up = up.parentElement) if (ignored.has(up)) return true;
    return false;
  };
  const within = (selector) =>
    (roots ?? [document])
      .flatMap((root) => [...(root.matches?.(selector) ? [root] : []), ...root.querySelectorAll(selector)])
      .filter((element) => !isIgnored(element));
  const resolve = (value) => {
    try {
      return new URL(value, document.baseURI).href;
    } catch {
      return value;
    }
  };
  const clean = (text) => text.replace(/\s+/g, " ").trim().slice(0, 200);
  const found = within("a[href],area[href]");
  if (found.length > maxLinks) truncated = true;
  const links = found.slice(0, maxLinks).map((anchor) => ({
    href: resolve(anchor.getAttribute("href") ?? "").slice(0, 4_096),
    text: clean(anchor.textContent ?? ""),
  }));
  // Attributes, not properties: an input called "action" hides the form's own.
  const forms = within("form")
    .slice(0, 500)
    .map((form) => ({
      action: resolve(form.getAttribute("action") ?? "").slice(0, 4_096),
      method: (form.getAttribute("method") ?? "get").toLowerCase(),
      inputs: [...Element.prototype.querySelectorAll.call(form, "input,select,textarea,button")]
        .slice(0, 500)
        .map((input) => ({
          name: input.getAttribute("name") ?? "",
          type: input.tagName === "INPUT" ? (input.getAttribute("type") ?? "text").toLowerCase() : input.type,
        })),
    }));
  const runnable = /^$|^(text|application)\/(java|ecma)script|^module$/i;
  const inlineScripts = within("script:not([src])")
    .filter((script) => runnable.test((script.getAttribute("type") ?? "").trim()))
    .map((script) => script.text)
    .filter((text) => text.trim() !== "");
  const scriptSources = within("script[src]").map((script) => resolve(script.getAttribute("src") ?? ""));
  const page = document.documentElement;
  return {
    title: document.title.slice(0, 1_000),
    blocks,
    links,
    forms,
    inlineScripts,
    scriptSources,
    hasPassword: document.querySelector("input[type=password]") !== null,
    elements: document.getElementsByTagName("*").length,
    textLength: page ? page.textContent.length : 0,
    height: page ? Math.max(page.scrollHeight, document.body?.scrollHeight ?? 0) : 0,
    truncated,
  };
};
