import { summarizeReasons } from "./change-summaries/summarize-reasons.ts";
import { type ContentComparison, compareContent, learnContentPair } from "./file-formats/compare-content.ts";
import {
  isPendingStillPresent,
  listFrequentChanges,
  listPendingParts,
  recordReportedChanges,
} from "./frequent-changes/frequent-changes.ts";
import { compareHtml, learnHtmlPair } from "./html-comparison/compare-html.ts";
import { splitRequested } from "./html-comparison/compare-structure.ts";
import { judgeStructure } from "./html-comparison/structure-reasons.ts";
import { beginDay } from "./noise-memory/calendar.ts";
import { type NoiseMemory, openMemory } from "./noise-memory/noise-memory.ts";
import { type Observation } from "./noise-memory/observation.ts";
import type { ImageComparison } from "./picture-comparison/compare-image.ts";
import {
  judgePicture,
  learnPicturePair,
  type PictureDifference,
} from "./picture-comparison/judge-picture.ts";
import { findFindings } from "./security-findings/findings.ts";
import { bySeverity, isDecisive, severityOf } from "./severity/severity.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";
import { compareHeaders } from "./status-and-headers/compare-headers.ts";
import type { Reason, Verdict } from "./verdict/verdict.ts";

// Every execution stores its verdict, and nobody reads more lines of noise than this.
const MAX_IGNORED = 1000;

/** `news` and `pictured`: all reported differences, in the form in which the noise memory takes them. */
type Compared = { verdict: Verdict; memory: NoiseMemory; news: Observation[]; pictured: PictureDifference[] };

/**
 * Decides whether a page changed, and why. Pure: the same input gives the same bytes. Both captures are already
 * filtered by the job's rules (`applyRules`). `picture` is the result of `compareImage`, or null if either side has no
 * picture; `at` is when the current one was captured, as an ISO date. The returned memory is for the next comparison.
 */
export function compare(
  previous: Snapshot,
  current: Snapshot,
  storedMemory: NoiseMemory,
  picture: ImageComparison | null = null,
  at?: string,
): Compared {
  const [older, newer] = ofOneKind(previous, current);
  return compareSameKind(older, newer, beginDay(openMemory(storedMemory), at), picture);
}

/** What rules extract is text or JSON, and nothing at all where they match nothing: then both are compared as text. */
function ofOneKind(previous: Snapshot, current: Snapshot): [Snapshot, Snapshot] {
  const isExtracted = previous.extracted || current.extracted;
  return previous.kind === current.kind || !isExtracted
    ? [previous, current]
    : [toText(previous), toText(current)];
}

function toText(snapshot: Snapshot): Snapshot {
  const html = snapshot.text.map(({ text }) => text).join("\n");
  return { ...snapshot, kind: "text", html, body: new TextEncoder().encode(html) };
}

function compareSameKind(
  previous: Snapshot,
  current: Snapshot,
  memory: NoiseMemory,
  picture: ImageComparison | null,
): Compared {
  const content = compareBodies(previous, current, memory, picture !== null);
  const headers = compareHeaders(previous, current);
  const { wanted, unwanted } = splitRequested(headers.ignored, memory);
  const headerResult = judgeStructure([...headers.changes, ...wanted], memory);
  const pictureResult = picture ? judgePicture(previous, current, picture, memory) : noPictureResult;
  const ignored = [...headerResult.ignored, ...content.ignored, ...unwanted, ...pictureResult.ignored];
  const tracked = [...headerResult.reported, ...content.reported];
  const news = [...headerResult.news, ...content.news];
  const reasons = [...headerResult.reasons, ...content.reasons, ...pictureResult.reasons].sort(byWeight);
  const decisive = reasons.filter(isDecisive);
  // A capture that may be incomplete is looked at again before anything is alerted.
  const isPartial = content.isPartial === true && memory.partial === 0;
  if (isPartial) for (const reason of decisive) reason.folded = true;
  const isDigestOnly = decisive.length > 0 && decisive.every((reason) => reason.folded);
  // If another page has replaced it, nothing is known about the pending changes.
  const isSamePage = content.similarity >= 50;
  const waiting = isSamePage ? (isDigestOnly ? listPendingParts(memory, tracked) : []) : memory.waiting;
  const verdict: Verdict = {
    changed: decisive.length > 0,
    folded: isDigestOnly,
    ...(isPartial ? { partial: true as const } : {}),
    ...(isPartial || (isSamePage && isDigestOnly && waiting.length > 0) ? { waits: true as const } : {}),
    ...(isSamePage && isPendingStillPresent(memory, tracked) ? { stood: true as const } : {}),
    often: listFrequentChanges(memory, tracked),
    similarity: picture ? picture.similarity : content.similarity,
    severity: reasons[0]?.severity ?? severityOf.noChange,
    summary: `${content.isPartial ? "Loads only partly: " : ""}${summarizeReasons(decisive)}`,
    reasons,
    findings: findFindings(previous, current),
    hunks: content.hunks,
    regions: picture?.regions ?? [],
    ignored: ignored.slice(0, MAX_IGNORED),
    ignoredCount: ignored.length,
  };
  const turned = [...headerResult.reported, ...(content.turned ?? content.reported)];
  // An incomplete capture isn't the next baseline, so it teaches nothing.
  const next = isPartial
    ? { ...recordReportedChanges(memory, []), partial: 1 }
    : { ...recordReportedChanges(content.memory, tracked, turned), waiting, partial: 0 };
  return { verdict, memory: next, news, pictured: pictureResult.news };
}

const noPictureResult = { reasons: [], ignored: [], news: [] };

/** Learns from a capture and its confirmation: whatever differs between them is noise. */
export function learnFromConfirmation(
  first: Snapshot,
  second: Snapshot,
  storedMemory: NoiseMemory,
  picture: ImageComparison | null = null,
  at?: string,
): NoiseMemory {
  const memory = picture ? learnPicturePair(openMemory(storedMemory), picture, at) : openMemory(storedMemory);
  if (first.kind !== second.kind) return memory;
  return first.kind === "html"
    ? learnHtmlPair(first, second, memory, at)
    : learnContentPair(first, second, memory, at);
}

function compareBodies(
  previous: Snapshot,
  current: Snapshot,
  memory: NoiseMemory,
  hasPicture: boolean,
): ContentComparison {
  if (previous.kind === "html" && current.kind === "html") {
    return compareHtml(previous, current, memory);
  }
  if (previous.kind === current.kind) return compareContent(previous, current, memory, hasPicture);
  // `compareHeaders` reports that the kind of content changed; the contents themselves can't be compared.
  return { reasons: [], news: [], reported: [], ignored: [], hunks: [], similarity: 0, memory };
}

/** Sorts alerted reasons before digest-only ones, then by severity. */
function byWeight(a: Reason, b: Reason): number {
  const digestRank = (reason: Reason) => (reason.folded && isDecisive(reason) ? 1 : 0);
  return digestRank(a) - digestRank(b) || bySeverity(a, b);
}
