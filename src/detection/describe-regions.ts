import type { Placed, View } from "./apply-rules.ts";
import { diffWords } from "./diff-words.ts";
import { indexedElements } from "./html/mark-rendered.ts";
import { parseHtml } from "./html/parse-html.ts";
import { readBoxes, readTextBoxes } from "./layout.ts";
import { foldWords } from "./rules.ts";
import { sayChanges } from "./say-change.ts";
import type { Box, Change, Ignored, Region, Sight, Verdict } from "./verdict.ts";

// The edges of a region are as rough as its tiles, and those of a line as its font.
const SHARED = 0.5;
// As much of a line as `ignored` keeps of it.
const MAX_COMPARED = 300;
const MAX_WORDS = 2_000;
const MAX_BOXES = 500;

type Judged = Pick<Verdict, "changed" | "reasons" | "ignored" | "regions">;

/** Says of each region what it is and whether it is news, and of each difference which region shows it. */
export function describeRegions<V extends Judged>(verdict: V, before: View, after: View): V {
  const sights = sightsOf(before, after);
  if (verdict.regions.length === 0) return { ...verdict, ...sights };
  const told = verdict.reasons.map((reason) => ({
    ...reason,
    changes: reason.changes.map((change) => ({ ...change })),
  }));
  const ignored = verdict.ignored.map((one) => ({ ...one }));
  const changes = told.flatMap((reason) => reason.changes);
  const sides = [sideOf(before), sideOf(after)] as const;
  const regions = verdict.regions.map((region, index) => {
    const differing = differingIn(sides[0], sides[1], region);
    const news = claim(changes, differing, index);
    const noise = claim(ignored, differing, index);
    const pictured = ignored.some((one) => one.region === index && one.place.startsWith("picture "));
    const isKnown = news.length === 0 && differing.removed.length + differing.added.length === 0;
    const isNoise = !verdict.changed || pictured || (isKnown && noise.length > 0);
    return {
      ...region,
      kind: kindOf(region, news, differing),
      ...sayOf(region, news.length > 0 ? news : noise, differing),
      ...(isNoise ? { isNoise: true as const } : {}),
      ...(differing.at.old === null && differing.at.new === null ? {} : { at: differing.at }),
    };
  });
  return { ...verdict, ...sights, reasons: told, ignored, regions };
}

function sightsOf({ sight: old }: View, { sight: now }: View): Pick<Verdict, "sights"> {
  const isWhole = (sight: Sight | null) => sight?.only === null && sight.hidden.length === 0;
  if (isWhole(old) && isWhole(now)) return {};
  const bound = (sight: Sight | null) =>
    sight && { only: sight.only && largest(sight.only), hidden: largest(sight.hidden) };
  return { sights: { old: bound(old), new: bound(now) } };
}

function largest(boxes: Box[]): Box[] {
  if (boxes.length <= MAX_BOXES) return boxes;
  return boxes.toSorted((a, b) => areaOf(b) - areaOf(a)).slice(0, MAX_BOXES);
}

/** The lines of a capture and the boxes of its elements on its picture; `isCounted` where its HTML has those elements. */
type Side = { places: Placed[]; boxes: (Box | null)[]; isCounted: boolean };

function sideOf({ places, snapshot: { html, text, layout } }: View): Side {
  const read = () =>
    readTextBoxes(layout?.texts ?? "").flatMap((place, at) => {
      const words = text[at]?.text;
      return place && words ? [{ text: words, ...place }] : [];
    });
  return {
    places: places ?? read(),
    boxes: readBoxes(layout?.boxes ?? ""),
    // Through rules only what was counted has places.
    isCounted: places ? places.length > 0 : indexedElements(parseHtml(html)).length === layout?.elements,
  };
}

/** Lines that only one of the two shows in a region, and the element the region is of. */
type Differing = { removed: string[]; added: string[]; both: string | null; at: NonNullable<Region["at"]> };

function differingIn(before: Side, after: Side, { old, new: now }: Region): Differing {
  const [was, is] = [linesIn(before, old), linesIn(after, now)];
  const [gone, come] = [without(was, is), without(is, was)];
  const elementIn = (side: Side, box: Box | null, lines: Placed[]) =>
    box && side.isCounted ? (lines[0]?.at ?? smallestAround(side.boxes, box)) : null;
  return {
    removed: gone.map(({ text }) => text),
    added: come.map(({ text }) => text),
    both: is[0]?.text ?? null,
    at: {
      old: elementIn(before, old, gone.length > 0 ? gone : was),
      new: elementIn(after, now, come.length > 0 ? come : is),
    },
  };
}

function linesIn({ places }: Side, region: Box | null): Placed[] {
  if (!region) return [];
  return places.filter(
    ({ box }) => sharedArea(box, region) >= SHARED * Math.max(1, Math.min(areaOf(box), areaOf(region))),
  );
}

function without(lines: Placed[], others: Placed[]): Placed[] {
  const left = others.map(({ text }) => fold(text));
  return lines.filter(({ text }) => !take(left, fold(text)));
}

/** Takes one of several equal things out of a list; false where it holds none. */
function take(list: string[], wanted: string): boolean {
  const at = list.indexOf(wanted);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

function smallestAround(boxes: (Box | null)[], region: Box): number | null {
  let found: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  boxes.forEach((box, at) => {
    if (!box || areaOf(box) >= least || sharedArea(box, region) < SHARED * areaOf(region)) return;
    found = at;
    least = areaOf(box);
  });
  return found;
}

/**
 * The differences that a region shows; its lines that they speak of are taken out. One that has no region yet comes
 * before one that has: of two seats that changed hands each has its own.
 */
function claim<D extends Change | Ignored>(all: D[], lines: Differing, region: number): D[] {
  if (lines.removed.length + lines.added.length === 0) return [];
  const left = { removed: lines.removed.map(fold), added: lines.added.map(fold) };
  const found: D[] = [];
  for (const isFree of [true, false]) {
    for (const one of all) {
      if ((one.region === undefined) !== isFree || found.includes(one)) continue;
      const inOld = one.before !== null && take(left.removed, fold(one.before));
      const inNew = one.after !== null && take(left.added, fold(one.after));
      if (inOld || inNew) {
        one.region ??= region;
        found.push(one);
      }
    }
  }
  lines.removed = lines.removed.filter((text) => left.removed.includes(fold(text)));
  lines.added = lines.added.filter((text) => left.added.includes(fold(text)));
  return found;
}

/** Where only words came, or only went, the region did, whatever its background was before. */
function kindOf({ kind }: Region, news: Change[], { removed, added }: Differing): Region["kind"] {
  if (kind !== "changed") return kind;
  if (news.length > 0 && removed.length === 0 && news.every(({ before }) => before === null)) return "added";
  if (news.length > 0 && added.length === 0 && news.every(({ after }) => after === null)) return "removed";
  return kind;
}

function sayOf(
  { kind }: Region,
  claimed: (Change | Ignored)[],
  { removed, added, both }: Differing,
): Pick<Region, "says"> {
  if (claimed.length > 0) return { says: sayChanges(claimed.map(withWords), claimed.length) };
  const [before = null, after = null] = [removed[0], added[0]];
  if (before !== null || after !== null) {
    return { says: sayChanges([withWords({ before, after })], Math.max(removed.length, added.length)) };
  }
  return kind === "moved" && both !== null
    ? { says: sayChanges([{ before: both, after: both, moved: true }], 1) }
    : {};
}

function withWords<D extends Pick<Change, "before" | "after" | "words">>(one: D): D {
  const { before, after, words } = one;
  const isShort = (before?.length ?? 0) + (after?.length ?? 0) <= MAX_WORDS;
  if (words || before === null || after === null || !isShort) return one;
  return { ...one, words: diffWords(before, after) };
}

const fold = (text: string) => foldWords(text.slice(0, MAX_COMPARED)).replaceAll(" ", "");

const areaOf = ({ width, height }: Box) => width * height;

function sharedArea(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}
