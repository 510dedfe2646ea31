import { type ContentComparison, compareContent, learnContentTwin } from "./compare-content.ts";
import { compareHeaders } from "./compare-headers.ts";
import { compareHtml, learnHtmlTwin } from "./compare-html.ts";
import type { ImageComparison } from "./compare-image.ts";
import { splitWanted } from "./compare-structure.ts";
import { findFindings } from "./findings.ts";
import { judgePicture, learnPictureTwin, type PictureNews } from "./judge-picture.ts";
import { type NoiseMemory, type Observation, openMemory } from "./noise-memory.ts";
import { oftenOf, recordTold, stoodAgain, waitingParts } from "./often.ts";
import type { Snapshot } from "./snapshot.ts";
import { judgeStructure } from "./structure-reasons.ts";
import { byGravity, type Reason, type Verdict } from "./verdict.ts";

// A verdict is kept with each check; nobody reads more lines than this of what is not news.
const MAX_IGNORED = 1000;

/** `news` and `pictured`: all that is told, as the memory may be told of it. */
type Compared = { verdict: Verdict; memory: NoiseMemory; news: Observation[]; pictured: PictureNews[] };

/**
 * Says whether a page changed and why. Pure: the same input gives the same bytes. What the job's rules leave out is
 * not there any more (`applyRules`). `picture` is what
 * `compareImage` found, or null when either side has none. The memory returned belongs to the next comparison.
 */
export function compare(
  previous: Snapshot,
  current: Snapshot,
  kept: NoiseMemory,
  picture: ImageComparison | null = null,
): Compared {
  const memory = openMemory(kept);
  const content = compareBodies(previous, current, memory, picture !== null);
  const answered = compareHeaders(previous, current);
  const { wanted, unwanted } = splitWanted(answered.ignored, memory);
  const answer = judgeStructure([...answered.changes, ...wanted], memory);
  const looks = picture ? judgePicture(previous, current, picture, memory) : nothing;
  const ignored = [...answer.ignored, ...content.ignored, ...unwanted, ...looks.ignored];
  const told = [...answer.told, ...content.told];
  const news = [...answer.news, ...content.news];
  const reasons = [...answer.reasons, ...content.reasons, ...looks.reasons].sort(byWeight);
  const decisive = reasons.filter((reason) => reason.severity !== "info");
  const folded = decisive.length > 0 && decisive.every((reason) => reason.folded);
  // Another page in its place says nothing of what waited on the one before.
  const isThere = content.similarity >= 50;
  const waiting = isThere ? (folded ? waitingParts(memory, told) : []) : memory.waiting;
  const verdict: Verdict = {
    changed: decisive.length > 0,
    folded,
    ...(isThere && folded && waiting.length > 0 ? { waits: true as const } : {}),
    ...(isThere && stoodAgain(memory, told) ? { stood: true as const } : {}),
    often: oftenOf(memory, told),
    similarity: picture ? picture.similarity : content.similarity,
    severity: reasons[0]?.severity ?? "info",
    summary: summarise(decisive),
    reasons,
    findings: findFindings(previous, current),
    hunks: content.hunks,
    regions: picture?.regions ?? [],
    ignored: ignored.slice(0, MAX_IGNORED),
    ignoredCount: ignored.length,
  };
  const next = { ...recordTold(content.memory, told), waiting };
  return { verdict, memory: next, news, pictured: looks.news };
}

const nothing = { reasons: [], ignored: [], news: [] };

/** The memory after two captures of one moment, of which all that differs is noise. */
export function learnTwin(
  first: Snapshot,
  second: Snapshot,
  kept: NoiseMemory,
  picture: ImageComparison | null = null,
  at?: string,
): NoiseMemory {
  const memory = picture ? learnPictureTwin(openMemory(kept), picture, at) : openMemory(kept);
  if (first.kind !== second.kind) return memory;
  return first.kind === "html"
    ? learnHtmlTwin(first, second, memory, at)
    : learnContentTwin(first, second, memory, at);
}

function compareBodies(
  previous: Snapshot,
  current: Snapshot,
  memory: NoiseMemory,
  isSeen: boolean,
): ContentComparison {
  if (previous.kind === "html" && current.kind === "html") {
    return compareHtml(previous, current, memory);
  }
  if (previous.kind === current.kind) return compareContent(previous, current, memory, isSeen);
  // The headers' comparison says that it is another kind of content; there is nothing in common to compare.
  return { reasons: [], news: [], told: [], ignored: [], hunks: [], similarity: 0, memory };
}

/** What is pushed before what is folded, then the heavier one. */
function byWeight(a: Reason, b: Reason): number {
  const fold = (reason: Reason) => (reason.folded && reason.severity !== "info" ? 1 : 0);
  return fold(a) - fold(b) || byGravity(a, b);
}

function summarise(reasons: Reason[]): string {
  const pushed = reasons.filter((reason) => !reason.folded);
  const news = pushed.length > 0 ? pushed : reasons;
  const [first, second] = news;
  if (!first) return "No change";
  if (!second) return first.summary;
  return `${first.summary}; ${news.length === 2 ? second.summary : `${news.length - 1} more changes`}`;
}
