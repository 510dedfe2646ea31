// Hides what is below the picture: a page many times as high as the picture would be laid out anew to take it, which
// needs more memory than reading all of the page. Runs last, in an isolated world.
export const trim = ({ height }) => {
  // Calls the prototype's function, because inputs can shadow a form's properties by their names.
  const nativeCall = (name) => {
    /** @type {any} */
    const found = Object.getOwnPropertyDescriptor(Element.prototype, name);
    const native = found.get ?? found.value;
    return (element, ...given) => native.apply(element, given);
  };
  const boxOf = nativeCall("getBoundingClientRect");
  const childrenOf = nativeCall("children");
  const mark = nativeCall("setAttribute");
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
