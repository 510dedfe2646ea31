import { compareJson } from "./compare-json.ts";
import { compareScript } from "./compare-script.ts";
import { compareTextFile } from "./compare-text-file.ts";
import { compareXml } from "./compare-xml.ts";
import type { ContentDifferences, Difference } from "./content-difference.ts";
import { diffLines } from "./diff-lines.ts";
import { diffWords } from "./diff-words.ts";
import { foldInvisible } from "./fold-invisible.ts";
import { inSight, MAX_IGNORED_SHOWN } from "./in-sight.ts";
import { asListed } from "./noise/as-listed.ts";
import { isWanted } from "./noise/is-wanted.ts";
import { idOf } from "./noise/said.ts";
import {
  learn,
  learnFromTwin,
  type NoiseMemory,
  type Observation,
  recall,
  recallSaid,
} from "./noise-memory.ts";
import { isFolded } from "./often.ts";
import { sayChanges } from "./say-change.ts";
import { compareSecurityTxt, isSecurityTxt } from "./security-txt.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Change, Hunk, Ignored, Reason } from "./verdict.ts";

export type ContentComparison = {
  reasons: Reason[];
  /** What was news, as the memory knows it, and of it what may come to be told of too often. */
  news: Observation[];
  told: Observation[];
  ignored: Ignored[];
  hunks: Hunk[];
  similarity: number;
  memory: NoiseMemory;
};

type Content = Pick<Snapshot, "kind" | "html" | "finalUrl" | "body">;

const MAX_CHANGES = 50;
const MAX_SHOWN = 1000;
const MAX_IN_SUMMARY = 60;
const unchanged: ContentDifferences = { found: [], standing: 1, noun: "line", lines: [[], []] };

/**
 * Compares what is no HTML by what it is: JSON, XML, script, security.txt, or lines of text. Of an image that
 * could be decoded (`isSeen`) the bytes decide nothing: how it looks does.
 */
export function compareContent(
  before: Content,
  after: Content,
  memory: NoiseMemory,
  isSeen = false,
): ContentComparison {
  const differences =
    isSeen && after.kind === "image" ? differInCoding(before, after) : differ(before, after);
  const news: Difference[] = [];
  const ignored: Ignored[] = [];
  for (const found of differences.found) {
    const seen = observe(found, differences.noun);
    const isAsked = found.noise !== null && isWanted(memory.kept, seen.place, found.noise);
    const byShape = isAsked ? null : found.noise;
    const why = byShape ? { why: byShape } : (found.moved ? recallSaid : recall)(memory, seen);
    if (why === null) news.push(found);
    else {
      const [old, now] = inSight(found.before, found.after, MAX_IGNORED_SHOWN);
      ignored.push({ place: seen.place, before: old, after: now, ...asListed(why) });
    }
  }
  const told = news.map((found) => observe(found, differences.noun));
  const folds = told.map((seen) => isFolded(memory, seen));
  const pushed = news.filter((_, at) => !folds[at]);
  const folded = news.filter((_, at) => folds[at]);
  return {
    reasons: [
      ...(pushed.length > 0 ? [toReason(pushed, differences)] : []),
      ...(folded.length > 0 ? [{ ...toReason(folded, differences), folded: true as const }] : []),
    ],
    news: told,
    told,
    ignored,
    hunks: toHunks(differences.lines),
    similarity: Math.round(differences.standing * 1000) / 10,
    memory: learn(memory, observations(differences), []),
  };
}

/** What differs between two captures of one moment is noise: the first lesson. */
export function learnContentTwin(
  first: Content,
  second: Content,
  memory: NoiseMemory,
  at?: string,
): NoiseMemory {
  return learnFromTwin(memory, observations(differ(first, second)), [], [], at);
}

function observations({ found, noun }: ContentDifferences): Observation[] {
  return found.filter((difference) => !difference.moved).map((difference) => observe(difference, noun));
}

/** The memory knows a place as "value a.b" or "field Expires". */
function observe({ place, before, after }: Difference, noun: string): Observation {
  return { place: `${noun} ${place}`, before, after, frame: false };
}

/** How an image looks is told by its picture: other bytes are another coding of it, at most. */
function differInCoding(before: Content, after: Content): ContentDifferences {
  return sameBytes(before.body, after.body) ? unchanged : asLayout("encoding");
}

/** Whatever differs in the bytes is found, if only as layout that says nothing. */
function differ(before: Content, after: Content): ContentDifferences {
  if (before.html === "" && after.html === "") {
    return sameBytes(before.body, after.body) ? unchanged : differInBytes(before.body, after.body);
  }
  if (before.html === after.html) {
    if (sameBytes(before.body, after.body)) return unchanged;
    // Bytes that are no text look alike whatever they are.
    return after.html.includes("\ufffd") ? differInBytes(before.body, after.body) : asLayout("encoding");
  }
  const differences = differInText(foldInvisible(before.html), foldInvisible(after.html), before, after);
  return differences.found.length > 0 ? differences : { ...differences, found: asLayout("layout").found };
}

function asLayout(place: string): ContentDifferences {
  return { ...unchanged, found: [{ place, before: null, after: null, noise: "markup" }] };
}

function differInText(a: string, b: string, before: Content, after: Content): ContentDifferences {
  if (isSecurityTxt(after.finalUrl, b) && isSecurityTxt(before.finalUrl, a)) return compareSecurityTxt(a, b);
  const structured = {
    json: compareJson,
    xml: compareXml,
    javascript: compareScript,
    html: undefined,
    text: undefined,
    pdf: undefined,
    image: undefined,
    other: undefined,
  }[after.kind];
  return structured?.(a, b) ?? compareTextFile(a, b);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function differInBytes(a: Uint8Array, b: Uint8Array): ContentDifferences {
  const size = (bytes: Uint8Array): string => `${bytes.length} bytes`;
  return {
    found: [{ place: "", before: size(a), after: size(b), noise: null }],
    standing: 0,
    noun: "file",
    lines: [[], []],
  };
}

function toReason(news: Difference[], { noun, standing }: ContentDifferences): Reason {
  const isImportant = standing < 0.5 || news.some((found) => found.isImportant);
  return {
    kind: "content",
    severity: isImportant ? "important" : "notice",
    summary: summarise(news, noun),
    changes: news.slice(0, MAX_CHANGES).map((found) => toChange(found, noun)),
    count: news.length,
  };
}

/** "price: 10 → 11", "2 values added, 1 removed: price added: 11", "1 line added: “three”". */
function summarise(news: Difference[], noun: string): string {
  const [first] = news;
  const counts = new Map<string, number>();
  for (const found of news) counts.set(verbOf(found), (counts.get(verbOf(found)) ?? 0) + 1);
  if (first && news.length === 1 && first.place !== "" && isNamed(first, noun)) return tell(first, noun);
  const thing = news.every((found) => found.isItem) ? "item" : noun;
  const counted = ["changed", "added", "removed", "moved"].filter((verb) => counts.has(verb));
  const sum = counted.map((verb, i) => {
    const count = counts.get(verb) ?? 0;
    return `${count}${i === 0 ? ` ${thing}${count === 1 ? "" : "s"}` : ""} ${verb}`;
  });
  return `${sum.join(", ")}${first ? `: ${tell(first, noun)}` : ""}`;
}

function verbOf({ moved, before, after }: Difference): "moved" | "added" | "removed" | "changed" {
  if (moved) return "moved";
  // The layout of a file has nothing to show.
  if (before === null && after === null) return "changed";
  return before === null ? "added" : after === null ? "removed" : "changed";
}

/** Whether a place names what differs; of lines and statements it says only what stands before them. */
function isNamed({ isItem, before, after }: Difference, noun: string): boolean {
  if (before === null && after === null) return true;
  return !isItem && noun !== "line" && noun !== "statement";
}

/** One difference in the content's own words. */
function tell(found: Difference, noun: string): string {
  const [before, after] = inSight(found.before, found.after, MAX_IN_SUMMARY);
  const verb = verbOf(found);
  if (before === null && after === null) return sayChanges([{ ...found, where: found.place || "values" }], 1);
  if (!isNamed(found, noun)) {
    const [old, now] = [`“${before}”`, `“${after}”`];
    return verb === "changed" ? `${old} → ${now}` : found.after === null ? old : now;
  }
  const place = found.place.length > 120 ? `…${found.place.slice(-119)}` : found.place;
  if (verb === "changed") return `${place}${place === "" ? "" : ": "}${before} → ${after}`;
  const value = after ?? before;
  return `${place} ${verb}${value === null ? "" : `: ${value}`}`.trim();
}

function toChange(found: Difference, noun: string): Change {
  const [before, after] = inSight(found.before, found.after, MAX_SHOWN);
  const change: Change = { id: idOf(observe(found, noun)), where: found.place, before, after };
  if (found.moved) change.moved = true;
  else if (before !== null && after !== null) change.words = diffWords(before, after);
  return change;
}

function toHunks([a, b]: ContentDifferences["lines"]): Hunk[] {
  return diffLines(a, b).map(({ oldStart, oldCount, newStart, newCount }) => ({
    oldStart,
    newStart,
    removed: a.slice(oldStart, oldStart + oldCount),
    added: b.slice(newStart, newStart + newCount),
  }));
}
