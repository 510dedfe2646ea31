// Finds the element of a step by each of its selectors, in an isolated world. `foundByName` are the elements that the
// browser found by their accessible names, in the order of `byName`, which says for which selector and how many.
// Returns how many elements each selector matches, and holds the one that the step uses.
export const findStepElement = ({ selectors, byName, needsShown }, ...foundByName) => {
  const maxElements = 200_000;
  const squeeze = (words) => words.replace(/\s+/g, " ").trim();
  const deep = function* (root) {
    let left = maxElements;
    const roots = [root];
    for (let at = roots.shift(); at; at = roots.shift()) {
      for (const element of at.querySelectorAll("*")) {
        if (--left < 0) return;
        yield element;
        if (element.shadowRoot) roots.push(element.shadowRoot);
      }
    }
  };
  const wordsOf = (element) =>
    squeeze(
      /^(button|submit|reset)$/.test(element.type ?? "") && element.value
        ? element.value
        : (element.textContent ?? ""),
    );
  const byText = (wanted) => {
    const words = squeeze(wanted);
    const holding = [...deep(document)].filter(
      (element) =>
        !/^(HEAD|SCRIPT|STYLE|TEMPLATE|TITLE|NOSCRIPT)$/.test(element.tagName) &&
        wordsOf(element).includes(words),
    );
    const all = new Set(holding);
    const parents = new Set(
      holding.map((element) => element.parentElement).filter((parent) => all.has(parent)),
    );
    const smallest = holding.filter((element) => !parents.has(element));
    const exact = smallest.filter((element) => wordsOf(element) === words);
    return exact.length > 0 ? exact : smallest;
  };
  const byPath = (path) => {
    const found = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    const nodes = Array.from({ length: found.snapshotLength }, (_, at) => found.snapshotItem(at));
    return nodes.map((node) => (node instanceof Element ? node : node.parentElement)).filter(Boolean);
  };
  const pierce = (selector) => [...deep(document)].filter((element) => element.matches(selector));
  const inChain = (chain) => {
    let roots = [document];
    let found = [];
    for (const selector of chain) {
      found = roots.flatMap((root) => [...root.querySelectorAll(selector)]);
      roots = found.map((element) => element.shadowRoot ?? element);
    }
    return found;
  };
  const given = [...foundByName];
  const named = new Map(byName.map(({ at, count }) => [at, given.splice(0, count)]));
  const invalid = [];
  const find = (chain, at) => {
    const [first] = chain;
    try {
      if (named.has(at)) return named.get(at);
      if (first.startsWith("text/")) return byText(first.slice(5));
      if (first.startsWith("xpath/")) return byPath(first.slice(6));
      if (first.startsWith("pierce/")) return pierce(first.slice(7));
      return inChain(chain);
    } catch {
      invalid.push(at);
      return [];
    }
  };
  const isShown = (element) => {
    const label = element.type === "checkbox" || element.type === "radio" ? element.labels?.[0] : undefined;
    const box = element.getBoundingClientRect();
    const own = box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
    return own || (label?.checkVisibility() ?? false);
  };
  const matches = selectors.map(find);
  const shown = matches.map((list) => list.filter(isShown));
  const usable = needsShown ? shown : matches;
  const unique = usable.findIndex((list) => list.length === 1);
  const at = unique >= 0 ? unique : usable.findIndex((list) => list.length > 0);
  globalThis[Symbol.for("step-element")] = at < 0 ? null : usable[at][0];
  return {
    at,
    counts: usable.map((list) => list.length),
    hidden: at < 0 && matches.some((list) => list.length > 0),
    invalid,
  };
};
