// The page as HTML; bounded, for pages too large to hand over whole.
export const serialize = ({ maxLength }) => {
  const doctype = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : "";
  const html = `${doctype}${document.documentElement?.outerHTML ?? ""}`;
  return { html: html.slice(0, maxLength), truncated: html.length > maxLength };
};
