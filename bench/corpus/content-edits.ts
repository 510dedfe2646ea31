import { extractPage } from "#detection/extract-page.ts";
import type { Block, Page } from "#detection/page.ts";
import type { Random } from "./random.ts";

const frame = new Set(["nav", "header", "footer", "aside"]);
const number = /(?<![\d&#\w])\d{1,3}(?![\d\w;])/;
const day =
  /(?<!\d)[0-2]?[1-9](?=\.? (?:jan|feb|mar|apr|ma[iy]|jun|jui|jul|aug|ao|sep|o[ck]t|nov|de[cz]|dé))/i;
const words = ({ text }: Block) => text.match(/\p{L}{2,}/gu)?.length ?? 0;
const more = (by: number) => (digits: string) => String(Number(digits) + by);

type Edit = { fits: (block: Block) => boolean; find: RegExp; write: (found: string) => string };

/** Small edits of what a page says, each of which a reader would want to hear of. */
export const contentEdits: Record<string, Edit> = {
  "number in a sentence": { fits: (block) => words(block) >= 8, find: number, write: more(7) },
  "number alone": { fits: (block) => words(block) <= 3, find: number, write: more(1) },
  "word in a sentence": { fits: (block) => words(block) >= 8, find: /\p{L}{5,}/u, write: () => "zubrowka" },
  "short piece": {
    fits: (block) => words(block) >= 1 && words(block) <= 3,
    find: /\p{L}{3,}/u,
    write: () => "Cancelled",
  },
  day: { fits: () => true, find: day, write: more(1) },
  // Of a copyright the year is no news.
  year: { fits: ({ text }) => !/©|copyright/i.test(text), find: /20[12]\d/, write: more(1) },
  "piece gone": { fits: (block) => words(block) >= 8, find: /[^]+/, write: () => "" },
};

/** A page with one edit in its content, and the piece it was made in; null where it has nothing to edit so. */
export function editContent(
  html: string,
  url: string,
  { fits, find, write }: Edit,
  random: Random,
): { html: string; piece: string } | null {
  const page = extractPage(html, url);
  const pieces = page.blocks.filter(
    (block) =>
      !frame.has(block.area) &&
      block.zone === "" &&
      block.hidden === "" &&
      // Labels beside a main wait for the next check.
      (block.beside === "" || (block.links <= 0.8 && block.role !== "control")) &&
      fits(block),
  );
  const places = pieces.flatMap((block) => placesIn(page, html, block, find));
  if (places.length === 0) return null;
  const { start, stop, text } = random.pick(places);
  const source = html.slice(start, stop);
  return { html: html.slice(0, start) + source.replace(find, write) + html.slice(stop), piece: text };
}

function placesIn({ nodes }: Page, html: string, { pieces, text }: Block, find: RegExp) {
  return pieces.flatMap((index) => {
    const { start = 0, stop = 0, parent = -1 } = nodes[index] ?? {};
    // What stands in for an address that is hidden from robots says nothing.
    if (nodes[parent]?.attributes["data-cfemail"] !== undefined) return [];
    return find.test(html.slice(start, stop)) && /\S/.test(html.slice(start, stop))
      ? [{ start, stop, text }]
      : [];
  });
}
