// Serializes the page as HTML, cut at `maxLength`, for pages too large to transfer as a whole.
export const serialize = ({ maxLength }) => {
  const doctype = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : "";
  const html = `${doctype}${document.documentElement?.outerHTML ?? ""}`;
  return { html: html.slice(0, maxLength), truncated: html.length > maxLength };
};
