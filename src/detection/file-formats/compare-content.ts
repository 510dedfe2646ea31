import { describeChanges } from "../change-summaries/describe-changes.ts";
import { excerptDifference, MAX_IGNORED_SHOWN } from "../change-summaries/excerpt-difference.ts";
import { listInWords } from "../change-summaries/summarize-reasons.ts";
import { isDigestOnly } from "../frequent-changes/frequent-changes.ts";
import { findInstructions } from "../hacked-pages/instructions-in-files.ts";
import { diffLines } from "../line-and-word-diff/diff-lines.ts";
import { diffWords } from "../line-and-word-diff/diff-words.ts";
import { itemsIn } from "../line-and-word-diff/hunks.ts";
import { idOf } from "../noise-memory/feedback.ts";
import { learn, learnPairNoise } from "../noise-memory/learned-noise.ts";
import { explainNoise, type NoiseMemory, recall, recallFeedback } from "../noise-memory/noise-memory.ts";
import { type Observation } from "../noise-memory/observation.ts";
import { decidedBy } from "../noise-rules/noise-rule.ts";
import { severityOf } from "../severity/severity.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { foldInvisible } from "../spaces-and-invisible-characters/fold-invisible.ts";
import type { Change, Hunk, Ignored, Reason } from "../verdict/verdict.ts";
import { compareTextFile } from "./compare-text-file.ts";
import { compareXml } from "./compare-xml.ts";
import type { ContentDifferences, Difference } from "./content-difference.ts";
import { compareInventories, isInventory } from "./inventory.ts";
import { compareScript } from "./javascript/compare-script.ts";
import { compareJson } from "./json/compare-json.ts";
import { compareSecurityTxt, isSecurityTxt } from "./security-txt.ts";

export type ContentComparison = {
  reasons: Reason[];
  /** All reported differences, as observations for the noise memory. */
  news: Observation[];
  /** Those of `news` that count toward frequent changes. */
  reported: Observation[];
  ignored: Ignored[];
  hunks: Hunk[];
  similarity: number;
  memory: NoiseMemory;
  /** The differences by which a version of the page is recognized when it comes back. */
  turned?: Observation[];
  /** The page only lost text, and so much of it that the capture may be incomplete. */
  isPartial?: boolean;
};

type Content = Pick<Snapshot, "kind" | "html" | "finalUrl" | "body" | "chosen">;

const MAX_CHANGES = 50;
const MAX_SHOWN = 1000;
const MAX_IN_SUMMARY = 60;
// Differences that a headline may name: more never fit in one line.
const MAX_NAMED = 8;
const unchanged: ContentDifferences = { found: [], standing: 1, noun: "line", lines: [[], []] };

/**
 * Compares content other than HTML by its format: JSON, XML, script, security.txt, or lines of text. For an image that
 * could be decoded (`hasPicture`), its appearance decides, not its bytes.
 */
export function compareContent(
  before: Content,
  after: Content,
  memory: NoiseMemory,
  hasPicture = false,
): ContentComparison {
  const differences =
    hasPicture && after.kind === "image" ? compareEncoding(before, after) : findDifferences(before, after);
  const news: Difference[] = [];
  const ignored: Ignored[] = [];
  for (const found of differences.found) {
    const observation = observe(found, differences.noun);
    const why = explainNoise(memory, observation, found.noise, found.moved ? recallFeedback : recall);
    if (why === null) news.push(found);
    else {
      const [old, now] = excerptDifference(found.before, found.after, MAX_IGNORED_SHOWN);
      ignored.push({ place: observation.place, before: old, after: now, ...why });
    }
  }
  const reported = news.map((found) => observe(found, differences.noun));
  const digestFlags = reported.map((observation) => isDigestOnly(memory, observation));
  const alerted = news.filter((_, at) => !digestFlags[at]);
  const digestOnly = news.filter((_, at) => digestFlags[at]);
  return {
    reasons: [
      ...(alerted.length > 0 ? [toReason(alerted, differences)] : []),
      ...(digestOnly.length > 0 ? [{ ...toReason(digestOnly, differences), folded: true as const }] : []),
      ...findInstructionsIn(after, differences),
    ],
    news: reported,
    reported,
    ignored,
    hunks: toHunks(differences.lines),
    similarity: Math.round(differences.standing * 1000) / 10,
    memory: learn(memory, observations(differences), []),
  };
}

/** Learns from a capture and its confirmation: whatever differs between them is noise. */
export function learnContentPair(
  first: Content,
  second: Content,
  memory: NoiseMemory,
  at?: string,
): NoiseMemory {
  return learnPairNoise(memory, observations(findDifferences(first, second)), [], [], at);
}

function observations({ found, noun }: ContentDifferences): Observation[] {
  return found.filter((difference) => !difference.moved).map((difference) => observe(difference, noun));
}

/** The noise memory names locations "value a.b" or "field Expires". */
function observe({ place, before, after }: Difference, noun: string): Observation {
  return { place: `${noun} ${place}`, before, after, frame: false };
}

/** The picture comparison judges how an image looks, so different bytes are at most a different encoding. */
function compareEncoding(before: Content, after: Content): ContentDifferences {
  return sameBytes(before.body, after.body) ? unchanged : layoutNoise("encoding");
}

/** Finds every difference in the bytes, if only as a layout difference, which is noise. */
function findDifferences(before: Content, after: Content): ContentDifferences {
  if (before.html === "" && after.html === "") {
    return sameBytes(before.body, after.body) ? unchanged : describeBytes(before.body, after.body);
  }
  if (before.html === after.html) {
    if (sameBytes(before.body, after.body)) return unchanged;
    // Bytes that aren't text are decoded to U+FFFD, so different bytes can give the same text.
    return after.html.includes("\ufffd") ? describeBytes(before.body, after.body) : layoutNoise("encoding");
  }
  const differences = compareByFormat(foldInvisible(before.html), foldInvisible(after.html), before, after);
  return differences.found.length > 0 ? differences : { ...differences, found: layoutNoise("layout").found };
}

function layoutNoise(place: string): ContentDifferences {
  return {
    ...unchanged,
    found: [{ place, before: null, after: null, noise: decidedBy("markup.file-layout") }],
  };
}

function compareByFormat(a: string, b: string, before: Content, after: Content): ContentDifferences {
  if (isSecurityTxt(after.finalUrl, b) && isSecurityTxt(before.finalUrl, a)) return compareSecurityTxt(a, b);
  if (isInventory(a) && isInventory(b)) return compareInventories(a, b);
  let structured: ContentDifferences | undefined;
  if (after.kind === "json") structured = compareJson(a, b);
  if (after.kind === "xml") structured = compareXml(a, b, after.chosen !== undefined);
  if (after.kind === "javascript") structured = compareScript(a, b);
  return structured ?? compareTextFile(a, b);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function describeBytes(a: Uint8Array, b: Uint8Array): ContentDifferences {
  const size = (bytes: Uint8Array): string => `${bytes.length} bytes`;
  return {
    found: [{ place: "", before: size(a), after: size(b), noise: null }],
    standing: 0,
    noun: "file",
    lines: [[], []],
  };
}

function toReason(news: Difference[], { noun, standing }: ContentDifferences): Reason {
  const changeSeverity = news.some((found) => found.isImportant)
    ? severityOf.fileContactOrScopeChanged
    : severityOf.fileChanged;
  return {
    kind: "content",
    severity: standing < 0.5 ? severityOf.fileMostlyReplaced : changeSeverity,
    summary: summarize(news, noun),
    changes: news.slice(0, MAX_CHANGES).map((found) => toChange(found, noun)),
    count: news.length,
  };
}

/** "price: 10 → 11", "“api.example” added to targets and 2 more changes", "“three” added". */
function summarize(news: Difference[], noun: string): string {
  const first = news.find((found) => found.isImportant) ?? news[0];
  if (!first) return "";
  if (first.sentence !== undefined) return summarizeEntries(news, first.sentence, wordsOf[noun] ?? feedWords);
  const others = news.filter((found) => found !== first).slice(0, MAX_NAMED - 1);
  return listInWords(
    [first, ...others].map((found) => describe(found, noun)),
    news.length,
  );
}

type EntryWords = { one: string; several: string; verbs: Record<ReturnType<typeof verbOf>, string> };
const feedWords: EntryWords = {
  one: "entry",
  several: "entries",
  verbs: { added: "new", changed: "edited", removed: "gone", moved: "moved" },
};
const wordsOf: Record<string, EntryWords> = {
  address: {
    one: "address",
    several: "addresses",
    verbs: { added: "appeared", changed: "changed", removed: "vanished", moved: "moved" },
  },
};

/** "New entry: Title"; of several also how many there are of each. */
function summarizeEntries(news: Difference[], first: string, { one, several, verbs }: EntryWords): string {
  if (news.length === 1) return first;
  const entries = news.filter(({ sentence }) => sentence !== undefined);
  const counts = (["added", "changed", "removed"] as const).flatMap((verb) => {
    const count = entries.filter((found) => verbOf(found) === verb).length;
    return count > 0 ? [`${count} ${verbs[verb]}`] : [];
  });
  const others = news.length - entries.length;
  const isOne = news.length - others === 1;
  const sum = `${entries.length} ${isOne ? one : several} (${counts.join(", ")})`;
  const also = others > 0 ? `, ${others} ${others === 1 ? "value" : "values"} of the feed` : "";
  return `${sum}${also}: ${first}`;
}

function verbOf({ moved, before, after }: Difference): "moved" | "added" | "removed" | "changed" {
  if (moved) return "moved";
  // A difference in a file's layout has no text to show.
  if (before === null && after === null) return "changed";
  return before === null ? "added" : after === null ? "removed" : "changed";
}

/** Whether the location names what differs. For lines and statements it only names what comes before them. */
function isNamed({ isItem, before, after }: Difference, noun: string): boolean {
  if (before === null && after === null) return true;
  return !isItem && noun !== "line" && noun !== "statement";
}

// An element of a list that a key names: targets[host=api.example].
const namedElement = /^(.*)\[[^=[\]]+=(.*)\]$/s;

/** Describes one difference in the content's own words. */
function describe(found: Difference, noun: string): string {
  const [before, after] = excerptDifference(found.before, found.after, MAX_IN_SUMMARY);
  if (before === null && after === null)
    return describeChanges([{ ...found, where: found.place || "values" }], 1);
  if (!isNamed(found, noun)) return describeChanges([toChange(found, noun)], 1);
  const verb = verbOf(found);
  const [, list = "", name] = namedElement.exec(found.place) ?? [];
  if (name !== undefined && verb !== "changed")
    return `“${name}” ${verb}${list === "" ? "" : ` ${verb === "added" ? "to" : "from"} ${list}`}`;
  const place = found.place.length > 120 ? `…${found.place.slice(-119)}` : found.place;
  if (verb === "changed") return `${place}${place === "" ? "" : ": "}${before} → ${after}`;
  const value = after ?? before;
  return `${place} ${verb}${value === null ? "" : `: ${value}`}`.trim();
}

/** A program may hold such texts to recognize them. */
function findInstructionsIn({ kind }: Content, { found }: ContentDifferences): Reason[] {
  if (kind === "javascript") return [];
  return findInstructions(
    found.filter(({ moved }) => !moved).map(({ place, before, after }) => ({ where: place, before, after })),
  );
}

function toChange(found: Difference, noun: string): Change {
  const [before, after] = excerptDifference(found.before, found.after, MAX_SHOWN);
  const change: Change = { id: idOf(observe(found, noun)), where: found.place, before, after };
  if (found.moved) change.moved = true;
  else if (before !== null && after !== null) change.words = diffWords(before, after);
  return change;
}

function toHunks([a, b]: ContentDifferences["lines"]): Hunk[] {
  return diffLines(a, b).map((hunk) => {
    const [removed, added] = itemsIn(hunk, a, b);
    return { oldStart: hunk.oldStart, newStart: hunk.newStart, removed, added };
  });
}
