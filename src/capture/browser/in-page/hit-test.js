// Whether a click at a point of the frame reaches the step's element; returns what is in its way, or null.
export const hitTest = ({ x, y }) => {
  const element = globalThis[Symbol.for("step-element")];
  if (!element?.isConnected) return "";
  let top = document.elementFromPoint(x, y);
  while (top?.shadowRoot?.elementFromPoint(x, y) && top.shadowRoot.elementFromPoint(x, y) !== top)
    top = top.shadowRoot.elementFromPoint(x, y);
  const outer = (node) => node.parentNode ?? node.host ?? null;
  const isInside = (node, box) => {
    for (let at = node; at; at = outer(at)) if (at === box) return true;
    return false;
  };
  if (!top || isInside(top, element) || isInside(element, top)) return null;
  if ([...(element.labels ?? [])].some((label) => isInside(top, label))) return null;
  const name = top.id
    ? `#${top.id}`
    : [...top.classList]
        .slice(0, 2)
        .map((part) => `.${part}`)
        .join("");
  return `${top.tagName.toLowerCase()}${name}`.slice(0, 80);
};
