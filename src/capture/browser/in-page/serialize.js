// The selected part as HTML, without what the job ignores; bounded, for pages too large to hand over whole.
export const serialize = ({ maxLength }) => {
  const { roots = null, ignored = new Set() } = globalThis[Symbol.for("selection")] ?? {};
  for (const element of ignored) element.remove();
  const html = roots
    ? roots.map((root) => root.outerHTML).join("\n")
    : `${document.doctype ? new XMLSerializer().serializeToString(document.doctype) : ""}${document.documentElement?.outerHTML ?? ""}`;
  return { html: html.slice(0, maxLength), truncated: html.length > maxLength };
};
