// Takes away what stands below the picture: a page as high as many pictures would be laid out anew for one, which takes
// more memory than all of its reading. Runs last, in a world of its own.
export const trim = ({ height }) => {
  const { getBoundingClientRect: boxOf, setAttribute } = Element.prototype;
  // By its own function: a form's inputs hide the form's properties by their names.
  /** @type {any} */
  const { get: childrenOf } = Object.getOwnPropertyDescriptor(Element.prototype, "children");
  const below = [];
  const visit = (element, depth) => {
    for (const child of childrenOf.call(element)) {
      const { top, bottom } = boxOf.call(child);
      if (top + scrollY > height) below.push(child);
      else if (bottom + scrollY > height && depth < 100) visit(child, depth + 1);
    }
  };
  if (document.body) visit(document.body, 0);
  for (const element of below) setAttribute.call(element, "data-below-picture", "");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("[data-below-picture]{display:none!important}");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
};
