import { compareJson } from "./compare-json.ts";
import { compareScript } from "./compare-script.ts";
import { compareTextFile } from "./compare-text-file.ts";
import { compareXml } from "./compare-xml.ts";
import type { ContentDifferences, Difference } from "./content-difference.ts";
import { diffLines } from "./diff-lines.ts";
import { diffWords } from "./diff-words.ts";
import { isWanted } from "./noise/is-wanted.ts";
import { learn, learnFromTwin, type NoiseMemory, type Observation, recall } from "./noise-memory.ts";
import { isFolded } from "./often.ts";
import { compareSecurityTxt, isSecurityTxt } from "./security-txt.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Change, Hunk, Ignored, Reason } from "./verdict.ts";

export type ContentComparison = {
  reasons: Reason[];
  /** What was news, as the memory knows it. */
  told: Observation[];
  ignored: Ignored[];
  hunks: Hunk[];
  similarity: number;
  memory: NoiseMemory;
};

type Content = Pick<Snapshot, "kind" | "html" | "finalUrl" | "body">;

const MAX_CHANGES = 50;
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
  const differences = isSeen && after.kind === "image" ? unchanged : differ(before, after);
  const news: Difference[] = [];
  const ignored: Ignored[] = [];
  for (const found of differences.found) {
    const seen = observe(found, differences.noun);
    const byShape = found.noise && isWanted(memory.kept, seen.place, found.noise) ? null : found.noise;
    const why = byShape ?? (found.moved ? null : recall(memory, seen));
    if (why === null) news.push(found);
    else ignored.push({ place: seen.place, before: found.before, after: found.after, why });
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
    told,
    ignored,
    hunks: toHunks(differences.lines),
    similarity: Math.round(differences.standing * 1000) / 10,
    memory: learn(memory, observations(differences), []),
  };
}

/** What differs between two captures of one moment is noise: the first lesson. */
export function learnContentTwin(first: Content, second: Content, memory: NoiseMemory): NoiseMemory {
  return learnFromTwin(memory, observations(differ(first, second)));
}

function observations({ found, noun }: ContentDifferences): Observation[] {
  return found.filter((difference) => !difference.moved).map((difference) => observe(difference, noun));
}

/** The memory knows a place as "value a.b" or "field Expires". */
function observe({ place, before, after }: Difference, noun: string): Observation {
  return { place: `${noun} ${place}`, before, after, frame: false };
}

function differ(before: Content, after: Content): ContentDifferences {
  if (before.html === after.html && (before.html !== "" || sameBytes(before.body, after.body))) {
    return unchanged;
  }
  if (before.html === "" && after.html === "") return differInBytes(before.body, after.body);
  if (isSecurityTxt(after.finalUrl, after.html) && isSecurityTxt(before.finalUrl, before.html)) {
    return compareSecurityTxt(before.html, after.html);
  }
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
  return structured?.(before.html, after.html) ?? compareTextFile(before.html, after.html);
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
  return {
    kind: "content",
    severity: standing < 0.5 ? "important" : "notice",
    summary: summarise(news, noun),
    changes: news.slice(0, MAX_CHANGES).map(toChange),
    count: news.length,
  };
}

/** "Expires changed", "2 values added, 1 removed". */
function summarise(news: Difference[], noun: string): string {
  const [only] = news;
  const moved = news.filter((found) => found.moved).length;
  const added = news.filter((found) => !found.moved && found.before === null).length;
  const removed = news.filter((found) => !found.moved && found.after === null).length;
  const changed = news.length - moved - added - removed;
  const counts = Object.entries({ changed, added, removed, moved }).filter(([, count]) => count > 0);
  if (only && news.length === 1 && noun !== "line" && noun !== "statement" && only.place !== "") {
    return `${only.place.slice(0, 120)} ${counts[0]?.[0] ?? "changed"}`;
  }
  return counts
    .map(([verb, count], i) => `${count}${i === 0 ? ` ${noun}${count === 1 ? "" : "s"}` : ""} ${verb}`)
    .join(", ");
}

function toChange({ place, before, after, moved }: Difference): Change {
  const change: Change = { where: place, before, after };
  if (moved) change.moved = true;
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
