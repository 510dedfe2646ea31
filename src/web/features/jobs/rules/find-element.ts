import type { Element } from "./source.ts";

/** The smallest element under a point of the picture; of two alike, the inner one. */
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

/** The next wider one: the nearest ancestor that does not cover just the same. */
export function widerThan(elements: Element[], at: number): number {
  const own = elements[at];
  for (let up = own?.[1] ?? -1; up >= 0; up = elements[up]?.[1] ?? -1) {
    if (!isSameBox(own, elements[up])) return up;
  }
  return at;
}

/** The next narrower one: on the way to the point that was pointed at, else the first in it. */
export function narrowerThan(elements: Element[], at: number, pointed: number | undefined): number {
  for (let inner = pointed ?? -1; inner >= 0; inner = elements[inner]?.[1] ?? -1) {
    const up = widerThan(elements, inner);
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

/** The element before or after it that has the same parent. */
export function besideOf(elements: Element[], at: number, step: 1 | -1): number {
  const parent = elements[at]?.[1];
  for (let i = at + step; i >= 0 && i < elements.length; i += step) if (elements[i]?.[1] === parent) return i;
  return at;
}
