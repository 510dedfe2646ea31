// Says how to find an element again and what it takes, and holds it as the step's element. `target` is what a pointer
// is on; without it, the element that has the focus is described. Null if nothing is there, "frame" if a frame is.
export const describeElement = ({ isExact }, target) => {
  const squeeze = (words) => words.replace(/\s+/g, " ").trim();
  const focused = () => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at === document.body ? null : at;
  };
  const own =
    "a[href],button,input,select,textarea,label,summary,[role=button],[role=link],[role=tab],[role=menuitem],[role=checkbox],[role=radio],[role=switch],[role=option],[contenteditable=''],[contenteditable=true],[onclick]";
  let element = target === undefined ? focused() : target instanceof Element ? target : target.parentElement;
  if (!element) return null;
  if (!isExact) element = element.closest(own) ?? element;
  const hold = Symbol.for("step-element");
  globalThis[hold] = element;
  if (element.tagName === "IFRAME" || element.tagName === "FRAME") return "frame";

  const quote = (text) => `"${text.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\a ")}"`;
  const looksMade = (id) => /\d{3}|[0-9a-f]{8}|^:|^ember|^radix/i.test(id);
  const pathIn = (root, from) => {
    const parts = [];
    for (let at = from; at instanceof Element; at = at.parentElement) {
      if (at.id && !looksMade(at.id)) {
        parts.unshift(`#${CSS.escape(at.id)}`);
        break;
      }
      const alike = [...(at.parentNode?.children ?? [])].filter((each) => each.tagName === at.tagName);
      const tag = CSS.escape(at.localName);
      parts.unshift(alike.length > 1 ? `${tag}:nth-of-type(${alike.indexOf(at) + 1})` : tag);
      if (root.querySelectorAll(parts.join(" > ")).length === 1) break;
    }
    return parts.join(" > ");
  };
  const waysIn = (root, from) => {
    const tag = CSS.escape(from.localName);
    const names = [
      "data-testid",
      "data-test",
      "data-cy",
      "name",
      "placeholder",
      "aria-label",
      "href",
      "type",
    ];
    const byName = names.flatMap((name) => {
      const value = from.getAttribute(name);
      return value && value.length <= 80 && !/[?#]./.test(value) ? [`${tag}[${name}=${quote(value)}]`] : [];
    });
    const byId = from.id && !looksMade(from.id) ? [`#${CSS.escape(from.id)}`] : [];
    const ways = [...byId, ...byName].filter((way) => {
      const found = root.querySelectorAll(way);
      return found.length === 1 && found[0] === from;
    });
    return [...new Set([...ways.slice(0, 2), pathIn(root, from)])];
  };
  const root = element.getRootNode();
  const outer = [];
  for (let at = root; at instanceof ShadowRoot; at = at.host.getRootNode())
    outer.unshift(waysIn(at.host.getRootNode(), at.host)[0]);

  const tag = element.tagName;
  const type = tag === "INPUT" ? element.type : "";
  const isButton = /^(button|submit|reset|image)$/.test(type);
  const isTyped =
    element.isContentEditable ||
    tag === "TEXTAREA" ||
    (tag === "INPUT" && !isButton && !/^(checkbox|radio|file|hidden)$/.test(type));
  const words = squeeze(
    isButton ? element.value : isTyped || tag === "SELECT" ? "" : (element.textContent ?? ""),
  );
  const hints = [element.autocomplete, element.name, element.id, element.placeholder].join(" ");
  const isPassword = type === "password" || /(current|new)-password/.test(element.autocomplete ?? "");
  const isCode = isTyped && /one-time-code|\botp\b|one.?time.?(code|pass)|\b[2m]fa|totp/i.test(hints);
  return {
    selectors: waysIn(root, element).map((way) => [...outer, way]),
    words: words.length <= 60 ? words : "",
    kind: isTyped ? "typed" : tag === "SELECT" ? "select" : type === "file" ? "file" : "other",
    isPassword,
    isCode,
    isMultiline: tag === "TEXTAREA" || element.isContentEditable,
    options:
      tag === "SELECT"
        ? [...element.options].slice(0, 300).map(({ value, label, selected }) => ({
            value,
            label: squeeze(label).slice(0, 100),
            isChosen: selected,
          }))
        : [],
  };
};
