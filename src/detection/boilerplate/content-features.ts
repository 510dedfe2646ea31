import { ancestorsOf } from "../html-parsing/ancestors-of.ts";
import type { Block, Page } from "../html-parsing/page.ts";
import type { HtmlNode } from "../html-parsing/parse-html.ts";

// Text of at least this many characters, mostly outside of links, is prose: menus rarely contain any.
const MIN_PROSE = 80;
const MAX_LINKED = 0.5;
// The elements around a block that are described: the nearest with several blocks, and the nearest that hold these
// shares of the page's text.
const GROUP_BLOCKS = 3;
const TENTH = 0.1;
const TRUNK = 0.4;
const MAX_STEPS = 40;

/** What the content model reads about a block, in the order in which its trees name the features. */
export const contentFeatures = [
  ..."length capitals linked depth".split(" "),
  ..."is-control in-form in-zone in-nav in-header in-footer".split(" "),
  ..."position-among-blocks position-in-text prose-before prose-after since-heading since-title".split(" "),
  ..."same-location same-location-length next-length".split(" "),
  ..."near-length near-linked wide-length".split(" "),
  ..."group-linked tenth-share tenth-linked tenth-blocks trunk-share trunk-linked trunk-prose".split(" "),
  ..."page-blocks page-prose page-main".split(" "),
];

/** Computes the features of every block of a page, in linear time. */
export function featuresOf({ blocks, nodes }: Pick<Page, "blocks" | "nodes">): number[][] {
  const sums = sumUp(blocks, nodes);
  const total = Math.max(1, sums.length.at(-1) ?? 1);
  const positions = positionsIn(blocks, nodes);
  const locations = new Map(
    [...Map.groupBy(blocks, ({ place }) => place)].map(([place, same]) => [
      place,
      [Math.log1p(same.length), Math.log1p(mean(same.map(({ text }) => text.length)))] as const,
    ]),
  );
  const page = [
    Math.log1p(blocks.length),
    (sums.prose.at(-1) ?? 0) / total,
    mean(blocks.map(({ area }) => Number(area === "main"))),
  ];
  const lengths = blocks.map(({ text }) => Math.log1p(text.length));
  const links = blocks.map((block) => block.links);
  const meanAround = (values: number[], at: number, reach: number) =>
    mean(values.slice(Math.max(0, at - reach), at + reach + 1));
  return blocks.map((block, at) => {
    const { text, place, area, zone, role } = block;
    const ancestors = ancestorsOf(nodes, block.node, MAX_STEPS);
    const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
    return [
      lengths[at] ?? 0,
      words.filter((word) => /^\p{Lu}/u.test(word)).length / Math.max(1, words.length),
      block.links,
      ancestors.length,
      Number(role === "control"),
      Number(ancestors.some((index) => nodes[index]?.tag === "form")),
      Number(zone !== "" && zone !== "list"),
      Number(area === "nav"),
      Number(area === "header"),
      Number(area === "footer"),
      ...(positions[at] ?? []),
      ...(locations.get(place) ?? []),
      lengths[at + 1] ?? -1,
      meanAround(lengths, at, 3),
      meanAround(links, at, 3),
      meanAround(lengths, at, 10),
      ...describeAround(ancestors, nodes, sums, total),
      ...page,
    ];
  });
}

function isProse({ text, links }: Block): boolean {
  return text.length >= MIN_PROSE && links < MAX_LINKED;
}

function mean(values: number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / Math.max(1, values.length);
}

/** Per node: how much text, linked text, prose and how many blocks begin before it. */
type Sums = { length: Float64Array; linked: Float64Array; prose: Float64Array; blocks: Float64Array };

function sumUp(blocks: Block[], nodes: HtmlNode[]): Sums {
  const make = () => new Float64Array(nodes.length + 2);
  const sums: Sums = { length: make(), linked: make(), prose: make(), blocks: make() };
  for (const block of blocks) {
    const at = Math.min(block.node, nodes.length) + 1;
    const { text, links } = block;
    const add = (sum: Float64Array, value: number) => {
      sum[at] = (sum[at] ?? 0) + value;
    };
    add(sums.length, text.length);
    add(sums.linked, text.length * links);
    add(sums.blocks, 1);
    if (isProse(block)) add(sums.prose, text.length);
  }
  for (const sum of Object.values(sums))
    for (let at = 1; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (sum[at - 1] ?? 0);
  return sums;
}

/** Where each block is: among all blocks, in the text, in the prose, and how many blocks after the last headings. */
function positionsIn(blocks: Block[], nodes: HtmlNode[]): number[][] {
  const proseOf = (block: Block) => (isProse(block) ? block.text.length : 0);
  const textTotal = Math.max(
    1,
    blocks.reduce((sum, { text }) => sum + text.length, 0),
  );
  const proseTotal = blocks.reduce((sum, block) => sum + proseOf(block), 0);
  let [text, prose, heading, title] = [0, 0, -1, -1];
  return blocks.map((block, at) => {
    if (block.role === "heading") heading = at;
    if (title < 0 && ancestorsOf(nodes, block.node, 4).some((index) => nodes[index]?.tag === "h1"))
      title = at;
    const since = (mark: number) => (mark < 0 ? -1 : Math.log1p(at - mark));
    const share = (part: number) => part / Math.max(1, proseTotal);
    const position = [
      at / blocks.length,
      text / textTotal,
      share(prose),
      share(proseTotal - prose - proseOf(block)),
      since(heading),
      since(title),
    ];
    text += block.text.length;
    prose += proseOf(block);
    return position;
  });
}

/** Describes the elements around a block: which share of the page they hold, how much of them is linked or prose. */
function describeAround(ancestors: number[], nodes: HtmlNode[], sums: Sums, total: number): number[] {
  const within = (what: keyof Sums, index: number) =>
    (sums[what][nodes[index]?.end ?? 0] ?? 0) - (sums[what][index] ?? 0);
  const shareOf = (what: keyof Sums, index: number) =>
    within(what, index) / Math.max(1, within("length", index));
  const nearest = (test: (index: number) => boolean) => ancestors.find(test) ?? ancestors.at(-1);
  const group = nearest((index) => within("blocks", index) >= GROUP_BLOCKS);
  const tenth = nearest((index) => within("length", index) >= TENTH * total);
  const trunk = nearest((index) => within("length", index) >= TRUNK * total);
  if (group === undefined || tenth === undefined || trunk === undefined) return Array<number>(7).fill(-1);
  return [
    shareOf("linked", group),
    within("length", tenth) / total,
    shareOf("linked", tenth),
    Math.log1p(within("blocks", tenth)),
    within("length", trunk) / total,
    shareOf("linked", trunk),
    shareOf("prose", trunk),
  ];
}
