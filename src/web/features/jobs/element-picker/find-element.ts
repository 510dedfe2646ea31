import type { Element } from "../rules/source.ts";

/** Returns the smallest element at a point of the screenshot; of two equal ones, the inner one. */
export function elementAt(elements: Element[], x: number, y: number): number | undefined {
  let best: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  elements.forEach(([, , , left, top, width, height], i) => {
    if (x < left || y < top || x > left + width || y > top + height) return;
    if (width * height > least) return;
    least = width * height;
    best = i;
  });
  return best;
}

/** Returns the next wider element: the nearest ancestor with a different box. */
export function widerElement(elements: Element[], at: number): number {
  const own = elements[at];
  for (let up = own?.[1] ?? -1; up >= 0; up = elements[up]?.[1] ?? -1) {
    if (!isSameBox(own, elements[up])) return up;
  }
  return at;
}

/** Returns the next narrower element: toward the one that was pointed at, else the first descendant. */
export function narrowerElement(elements: Element[], at: number, pointed: number | undefined): number {
  for (let inner = pointed ?? -1; inner >= 0; inner = elements[inner]?.[1] ?? -1) {
    const up = widerElement(elements, inner);
    if (up === at) return inner;
    if (inner === at || up === inner) break;
  }
  const first = elements.findIndex(
    (element, i) => i > at && isInside(elements, i, at) && !isSameBox(element, elements[at]),
  );
  return first < 0 ? at : first;
}

function isInside(elements: Element[], inner: number, outer: number): boolean {
  for (let up = elements[inner]?.[1] ?? -1; up >= 0; up = elements[up]?.[1] ?? -1)
    if (up === outer) return true;
  return false;
}

function isSameBox(one: Element | undefined, other: Element | undefined): boolean {
  return one !== undefined && other !== undefined && [3, 4, 5, 6].every((i) => one[i] === other[i]);
}

/** Returns the previous or next sibling of an element. */
export function siblingOf(elements: Element[], at: number, step: 1 | -1): number {
  const parent = elements[at]?.[1];
  for (let i = at + step; i >= 0 && i < elements.length; i += step) if (elements[i]?.[1] === parent) return i;
  return at;
}
