// Numbers the page's elements as `Rendered` in detection's snapshot.ts has it, for those who read it after. Runs in a
// world of its own.
export const number = ({ closedTags, maxElements }) => {
  const closed = new Set(closedTags);
  const numbers = new Map();
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT);
  const next = (element) => {
    const inner = closed.has(element.localName) ? null : walker.firstChild();
    if (inner) return inner;
    for (;;) {
      const beside = walker.nextSibling();
      if (beside) return beside;
      if (!walker.parentNode()) return null;
    }
  };
  for (let element = walker.currentNode; element && numbers.size <= maxElements; element = next(element)) {
    numbers.set(element, numbers.size);
  }
  // Under a symbol: a page's ids are names on the global object of every world.
  globalThis[Symbol.for("numbers")] = numbers;
};
