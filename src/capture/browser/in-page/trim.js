// Takes away what stands below the picture: a page as high as many pictures would be laid out anew for one, which takes
// more memory than all of its reading. Runs last, in a world of its own.
export const trim = ({ height }) => {
  // By their own functions: a form's inputs hide the form's properties by their names.
  const own = (name) => {
    /** @type {any} */
    const found = Object.getOwnPropertyDescriptor(Element.prototype, name);
    const native = found.get ?? found.value;
    return (element, ...given) => native.apply(element, given);
  };
  const boxOf = own("getBoundingClientRect");
  const childrenOf = own("children");
  const mark = own("setAttribute");
  const below = [];
  const visit = (element, depth) => {
    for (const child of childrenOf(element)) {
      const { top, bottom } = boxOf(child);
      if (top + scrollY > height) below.push(child);
      else if (bottom + scrollY > height && depth < 100) visit(child, depth + 1);
    }
  };
  if (document.body) visit(document.body, 0);
  for (const element of below) mark(element, "data-below-picture", "");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("[data-below-picture]{display:none!important}");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
};
