import { describeChanges } from "../change-summaries/describe-changes.ts";
import { indexedElements } from "../html-parsing/mark-rendered.ts";
import { parseHtml } from "../html-parsing/parse-html.ts";
import { diffWords } from "../line-and-word-diff/diff-words.ts";
import type { Placed, View } from "../selectors-and-ignore-rules/apply-rules.ts";
import { normalizeWords } from "../selectors-and-ignore-rules/normalize-words.ts";
import { readBoxes, readTextBoxes } from "../snapshot/layout.ts";
import type { Box, Change, ComparedArea, Ignored, Region, Verdict } from "../verdict/verdict.ts";
import { areaOf, sharedArea } from "./boxes.ts";

// Required share of overlap. Region edges are only as precise as the tiles, line edges as the font.
const SHARED = 0.5;
// Characters of a line to compare; `ignored` stores no more.
const MAX_COMPARED = 300;
const MAX_WORDS = 2_000;
const MAX_BOXES = 500;

type Judged = Pick<Verdict, "changed" | "reasons" | "ignored" | "regions">;

/** Describes each region and whether it is noise, and assigns each difference to the region that shows it. */
export function describeRegions<V extends Judged>(verdict: V, before: View, after: View): V {
  const areas = describeComparedAreas(before, after);
  if (verdict.regions.length === 0) return { ...verdict, ...areas };
  const reasons = verdict.reasons.map((reason) => ({
    ...reason,
    changes: reason.changes.map((change) => ({ ...change })),
  }));
  const ignored = verdict.ignored.map((difference) => ({ ...difference }));
  const changes = reasons.flatMap((reason) => reason.changes);
  const sides = [sideOf(before), sideOf(after)] as const;
  const regions = verdict.regions.map((region, index) => {
    const differing = findDifferingLines(sides[0], sides[1], region);
    const news = claimDifferences(changes, differing, index);
    const noise = claimDifferences(ignored, differing, index);
    const isPictureNoise = ignored.some(
      (difference) => difference.region === index && difference.place.startsWith("picture "),
    );
    const isKnown = news.length === 0 && differing.removed.length + differing.added.length === 0;
    const isNoise = !verdict.changed || isPictureNoise || (isKnown && noise.length > 0);
    return {
      ...region,
      kind: kindOf(region, news, differing),
      ...describeRegion(region, news.length > 0 ? news : noise, differing),
      ...(isNoise ? { isNoise: true as const } : {}),
      ...(differing.at.old === null && differing.at.new === null ? {} : { at: differing.at }),
    };
  });
  return { ...verdict, ...areas, reasons, ignored, regions };
}

function describeComparedAreas(
  { comparedArea: old }: View,
  { comparedArea: now }: View,
): Pick<Verdict, "sights"> {
  const isWhole = (area: ComparedArea | null) => area?.only === null && area.hidden.length === 0;
  if (isWhole(old) && isWhole(now)) return {};
  const bound = (area: ComparedArea | null) =>
    area && { only: area.only && largest(area.only), hidden: largest(area.hidden) };
  return { sights: { old: bound(old), new: bound(now) } };
}

function largest(boxes: Box[]): Box[] {
  if (boxes.length <= MAX_BOXES) return boxes;
  return boxes.toSorted((a, b) => areaOf(b) - areaOf(a)).slice(0, MAX_BOXES);
}

/** A capture's lines and the boxes of its elements on its picture. `isCounted`: its HTML has the same elements. */
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
    // A filtered capture has places only if its elements were counted.
    isCounted: places ? places.length > 0 : indexedElements(parseHtml(html)).length === layout?.elements,
  };
}

/** Lines that only one of the captures shows in a region, and the element that the region shows. */
type Differing = { removed: string[]; added: string[]; both: string | null; at: NonNullable<Region["at"]> };

function findDifferingLines(before: Side, after: Side, { old, new: now }: Region): Differing {
  const [oldLines, newLines] = [linesIn(before, old), linesIn(after, now)];
  const [onlyOld, onlyNew] = [linesMissingFrom(oldLines, newLines), linesMissingFrom(newLines, oldLines)];
  const elementIn = (side: Side, box: Box | null, lines: Placed[]) =>
    box && side.isCounted ? (lines[0]?.at ?? findSmallestBox(side.boxes, box)) : null;
  return {
    removed: onlyOld.map(({ text }) => text),
    added: onlyNew.map(({ text }) => text),
    both: newLines[0]?.text ?? null,
    at: {
      old: elementIn(before, old, onlyOld.length > 0 ? onlyOld : oldLines),
      new: elementIn(after, now, onlyNew.length > 0 ? onlyNew : newLines),
    },
  };
}

function linesIn({ places }: Side, region: Box | null): Placed[] {
  if (!region) return [];
  return places.filter(
    ({ box }) => sharedArea(box, region) >= SHARED * Math.max(1, Math.min(areaOf(box), areaOf(region))),
  );
}

function linesMissingFrom(lines: Placed[], others: Placed[]): Placed[] {
  const left = others.map(({ text }) => fold(text));
  return lines.filter(({ text }) => !take(left, fold(text)));
}

/** Removes one occurrence of a text from a list; false if there is none. */
function take(list: string[], wanted: string): boolean {
  const at = list.indexOf(wanted);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

function findSmallestBox(boxes: (Box | null)[], region: Box): number | null {
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
 * Finds the differences that a region shows and removes their lines from `lines`. Differences without a region come
 * first, so that two equal differences (two seats that change hands) get a region each.
 */
function claimDifferences<D extends Change | Ignored>(all: D[], lines: Differing, region: number): D[] {
  if (lines.removed.length + lines.added.length === 0) return [];
  const left = { removed: lines.removed.map(fold), added: lines.added.map(fold) };
  const found: D[] = [];
  for (const isFree of [true, false]) {
    for (const difference of all) {
      if ((difference.region === undefined) !== isFree || found.includes(difference)) continue;
      const inOld = difference.before !== null && take(left.removed, fold(difference.before));
      const inNew = difference.after !== null && take(left.added, fold(difference.after));
      if (inOld || inNew) {
        difference.region ??= region;
        found.push(difference);
      }
    }
  }
  lines.removed = lines.removed.filter((text) => left.removed.includes(fold(text)));
  lines.added = lines.added.filter((text) => left.added.includes(fold(text)));
  return found;
}

/** If words were only added (or only removed) in a region, so was the region, whatever its background was before. */
function kindOf({ kind }: Region, news: Change[], { removed, added }: Differing): Region["kind"] {
  if (kind !== "changed") return kind;
  if (news.length > 0 && removed.length === 0 && news.every(({ before }) => before === null)) return "added";
  if (news.length > 0 && added.length === 0 && news.every(({ after }) => after === null)) return "removed";
  return kind;
}

function describeRegion(
  { kind }: Region,
  claimed: (Change | Ignored)[],
  { removed, added, both }: Differing,
): Pick<Region, "says"> {
  if (claimed.length > 0) return { says: describeChanges(claimed.map(withWords), claimed.length) };
  const [before = null, after = null] = [removed[0], added[0]];
  if (before !== null || after !== null) {
    return { says: describeChanges([withWords({ before, after })], Math.max(removed.length, added.length)) };
  }
  return kind === "moved" && both !== null
    ? { says: describeChanges([{ before: both, after: both, moved: true }], 1) }
    : {};
}

function withWords<D extends Pick<Change, "before" | "after" | "words">>(difference: D): D {
  const { before, after, words } = difference;
  const isShort = (before?.length ?? 0) + (after?.length ?? 0) <= MAX_WORDS;
  if (words || before === null || after === null || !isShort) return difference;
  return { ...difference, words: diffWords(before, after) };
}

const fold = (text: string) => normalizeWords(text.slice(0, MAX_COMPARED)).replaceAll(" ", "");
