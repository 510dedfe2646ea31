// Numbers the page's elements as `Rendered` in detection's snapshot.ts defines, for the scripts that run after it. Runs
// in an isolated world.
export const number = ({ closedTags, maxElements }) => {
  const closed = new Set(closedTags);
  const numbers = new Map();
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT);
  const next = (element) => {
    const inner = closed.has(element.localName) ? null : walker.firstChild();
    if (inner) return inner;
    for (;;) {
      const sibling = walker.nextSibling();
      if (sibling) return sibling;
      if (!walker.parentNode()) return null;
    }
  };
  for (let element = walker.currentNode; element && numbers.size <= maxElements; element = next(element)) {
    numbers.set(element, numbers.size);
  }
  // Stored under a symbol, because a page's ids are names on the global object of every world.
  globalThis[Symbol.for("numbers")] = numbers;
};
