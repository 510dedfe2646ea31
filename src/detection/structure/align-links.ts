import { diffLines } from "../diff-lines.ts";
import { resolve } from "../html/resolve.ts";
import { maskUrl } from "../noise/urls.ts";
import type { Link, Page } from "../page.ts";

/** A link as it stood and as it stands; null where there was or is none. */
export type LinkPair = { before: Placed | null; after: Placed | null };
/** `to` is where it leads without what a request or a build puts into an address. */
export type Placed = { link: Link; to: string };

/** Tells in document order which link stands for which: the same one, then the same words, then the same target. */
export function alignLinks(older: Page, newer: Page): LinkPair[] {
  const keys: ((placed: Placed) => string)[] = [
    ({ link, to }) => `${to}\n${link.text}`,
    ({ link }) => (link.text === "" ? `\n${link.place}` : link.text),
    ({ to }) => to,
  ];
  return pairMoved(align(place(older), place(newer), keys));
}

function place(page: Page): Placed[] {
  return page.links.map((link) => ({ link, to: targetOf(link.href, page.base) }));
}

/** Pairs by the first key; what that leaves between two pairs is paired by the next. */
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
  const take = (until: number) => {
    while (x < until) pairs.push({ before: old[x++] as Placed, after: now[y++] as Placed });
  };
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(old.map(key), now.map(key))) {
    take(oldStart);
    for (const pair of align(
      old.slice(oldStart, oldStart + oldCount),
      now.slice(newStart, newStart + newCount),
      others,
    ))
      pairs.push(pair);
    [x, y] = [oldStart + oldCount, newStart + newCount];
  }
  take(old.length);
  return pairs;
}

/** A link that went in one place and stands, words and target alike, in another was only moved. */
function pairMoved(pairs: LinkPair[]): LinkPair[] {
  const gone = new Map<string, LinkPair[]>();
  const keyOf = ({ link, to }: Placed) => `${to}\n${link.text}`;
  for (const pair of pairs) {
    if (pair.after || !pair.before) continue;
    const key = keyOf(pair.before);
    const waiting = gone.get(key);
    if (waiting) waiting.push(pair);
    else gone.set(key, [pair]);
  }
  const used = new Set<LinkPair>();
  const joined = pairs.map((pair) => {
    if (pair.before || !pair.after) return pair;
    const from = gone.get(keyOf(pair.after))?.shift();
    if (!from) return pair;
    used.add(from);
    return { before: from.before, after: pair.after };
  });
  return joined.filter((pair) => !used.has(pair));
}

function targetOf(href: string, base: string): string {
  return maskUrl(/^(?:#|javascript:)/i.test(href) ? href : resolve(href, base));
}
