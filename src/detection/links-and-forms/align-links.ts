import type { Link, Page } from "../html-parsing/page.ts";
import { resolve } from "../html-parsing/resolve.ts";
import { diffLines } from "../line-and-word-diff/diff-lines.ts";
import { maskTarget } from "../noise/urls.ts";

/** A link before and after; null on the side that doesn't have it. */
export type LinkPair = { before: Placed | null; after: Placed | null };
/** A link and its target; `to` leaves out what a request or a build puts into an address. */
export type Placed = { link: Link; to: string };

/** Pairs the links of two pages in document order: by target and text, then by text, then by target. */
export function alignLinks(older: Page, newer: Page): LinkPair[] {
  const keys: ((placed: Placed) => string)[] = [
    ({ link, to }) => `${to}\n${link.text}`,
    ({ link }) => (link.text === "" ? `\n${link.place}` : link.text),
    ({ to }) => to,
  ];
  return pairMoved(align(withTargets(older), withTargets(newer), keys));
}

function withTargets(page: Page): Placed[] {
  return page.links.map((link) => ({ link, to: targetOf(link.href, page.base) }));
}

/** Pairs by the first key; links left over between two pairs are paired by the next key. */
function align(old: Placed[], now: Placed[], keys: ((placed: Placed) => string)[]): LinkPair[] {
  const [key, ...others] = keys;
  if (!key || old.length === 0 || now.length === 0) {
    return [
      ...old.map((before) => ({ before, after: null })),
      ...now.map((after) => ({ before: null, after })),
    ];
  }
  const pairs: LinkPair[] = [];
  let [x, y] = [0, 0];
  const pairUntil = (until: number) => {
    while (x < until) pairs.push({ before: old[x++] as Placed, after: now[y++] as Placed });
  };
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(old.map(key), now.map(key))) {
    pairUntil(oldStart);
    const removed = old.slice(oldStart, oldStart + oldCount);
    const added = now.slice(newStart, newStart + newCount);
    for (const pair of align(removed, added, others)) pairs.push(pair);
    [x, y] = [oldStart + oldCount, newStart + newCount];
  }
  pairUntil(old.length);
  return pairs;
}

/** A link that disappeared in one location and appeared in another, with the same text and target, was only moved. */
function pairMoved(pairs: LinkPair[]): LinkPair[] {
  const keyOf = (placed: Placed | null) => `${placed?.to}\n${placed?.link.text}`;
  const removedByKey = Map.groupBy(
    pairs.filter(({ after }) => !after),
    ({ before }) => keyOf(before),
  );
  const merged = new Set<LinkPair>();
  const joined = pairs.map((pair) => {
    if (pair.before || !pair.after) return pair;
    const source = removedByKey.get(keyOf(pair.after))?.shift();
    if (!source) return pair;
    merged.add(source);
    return { before: source.before, after: pair.after };
  });
  return joined.filter((pair) => !merged.has(pair));
}

function targetOf(href: string, base: string): string {
  return maskTarget(/^(?:#|javascript:)/i.test(href) ? href : resolve(href, base), base);
}
