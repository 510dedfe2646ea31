import { extractPage } from "#detection/html-parsing/extract-page.ts";
import type { Block, Page } from "#detection/html-parsing/page.ts";
import type { Random } from "./random.ts";

const boilerplateAreas = new Set(["nav", "header", "footer", "aside"]);
const number = /(?<![\d&#\w])\d{1,3}(?![\d\w;])/;
const day =
  /(?<!\d)[0-2]?[1-9](?=\.? (?:jan|feb|mar|apr|ma[iy]|jun|jui|jul|aug|ao|sep|o[ck]t|nov|de[cz]|dé))/i;
const words = ({ text }: Block) => text.match(/\p{L}{2,}/gu)?.length ?? 0;
const increaseBy = (by: number) => (digits: string) => String(Number(digits) + by);

type Edit = { fits: (block: Block) => boolean; find: RegExp; write: (found: string) => string };

/** Small edits of a page's text, each of which a user would want an alert for. */
export const contentEdits: Record<string, Edit> = {
  "number in a sentence": { fits: (block) => words(block) >= 8, find: number, write: increaseBy(7) },
  "number alone": { fits: (block) => words(block) <= 3, find: number, write: increaseBy(1) },
  "word in a sentence": { fits: (block) => words(block) >= 8, find: /\p{L}{5,}/u, write: () => "zubrowka" },
  "short piece": {
    fits: (block) => words(block) >= 1 && words(block) <= 3,
    find: /\p{L}{3,}/u,
    write: () => "Cancelled",
  },
  day: { fits: () => true, find: day, write: increaseBy(1) },
  // The year of a copyright notice isn't news.
  year: { fits: ({ text }) => !/©|copyright/i.test(text), find: /20[12]\d/, write: increaseBy(1) },
  "one letter": {
    fits: (block) => words(block) >= 4,
    find: /(?<=\p{L}{2})\p{L}(?=\p{L})/u,
    write: (letter) => (letter === "x" ? "y" : "x"),
  },
  "one mark": { fits: (block) => words(block) >= 4, find: /(?<=\p{L})[.,;](?=\s)/u, write: () => "!" },
  "word added": { fits: (block) => words(block) >= 4, find: /(?<=\p{L}) (?=\p{L})/u, write: () => " not " },
  "piece gone": { fits: (block) => words(block) >= 8, find: /[^]+/, write: () => "" },
};

/** A page with one edit in its content, and the text that was edited; null if it has nothing to edit this way. */
export function editContent(
  html: string,
  url: string,
  { fits, find, write }: Edit,
  random: Random,
): { html: string; piece: string } | null {
  const page = extractPage(html, url);
  const pieces = page.blocks.filter(
    (block) =>
      !boilerplateAreas.has(block.area) &&
      block.zone === "" &&
      block.hidden === "" &&
      // Changes of labels outside `<main>` are pending until the next check.
      (block.beside === "" || (block.links <= 0.8 && block.role !== "control")) &&
      fits(block),
  );
  const matches = pieces.flatMap((block) => findMatches(page, html, block, find));
  if (matches.length === 0) return null;
  const { start, stop, text } = random.pick(matches);
  const source = html.slice(start, stop);
  return { html: html.slice(0, start) + source.replace(find, write) + html.slice(stop), piece: text };
}

function findMatches({ nodes }: Page, html: string, { pieces, text }: Block, find: RegExp) {
  return pieces.flatMap((index) => {
    const { start = 0, stop = 0, parent = -1 } = nodes[index] ?? {};
    // The placeholder for an email address that is hidden from bots has no content.
    if (nodes[parent]?.attributes["data-cfemail"] !== undefined) return [];
    return find.test(html.slice(start, stop)) && /\S/.test(html.slice(start, stop))
      ? [{ start, stop, text }]
      : [];
  });
}
