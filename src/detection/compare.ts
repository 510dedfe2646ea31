import { compareHeaders } from "./compare-headers.ts";
import { compareHtml, structureReason } from "./compare-html.ts";
import type { ImageComparison } from "./compare-image.ts";
import type { NoiseMemory } from "./noise-memory.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Reason, Severity, Verdict } from "./verdict.ts";

// Pictures less alike than this are a visual change; the job's similarity level, fixed by the specification.
const VISUAL_THRESHOLD = 80;

/**
 * Says whether a page changed and why. Pure: the same input gives the same bytes. `picture` is what
 * `comparePictures` found, or null when either side has none. The memory returned belongs to the next comparison.
 */
export function compare(
  previous: Snapshot,
  current: Snapshot,
  memory: NoiseMemory,
  picture: ImageComparison | null = null,
): { verdict: Verdict; memory: NoiseMemory } {
  const content = compareHtml(
    { html: previous.html, url: previous.finalUrl || previous.url },
    { html: current.html, url: current.finalUrl || current.url },
    memory,
  );
  const reasons = [...compareHeaders(previous, current).map(structureReason), ...content.reasons];
  if (picture && picture.similarity < VISUAL_THRESHOLD) {
    reasons.push({
      kind: "picture",
      severity: "notice",
      summary: `Looks ${Math.round(100 - picture.similarity)} % different`,
      changes: [],
      count: picture.regions.length,
    });
  }
  reasons.sort((a, b) => rank(b.severity) - rank(a.severity));
  const news = reasons.filter((reason) => reason.severity !== "info");
  const verdict: Verdict = {
    changed: news.length > 0,
    similarity: picture ? picture.similarity : content.similarity,
    severity: reasons[0]?.severity ?? "info",
    summary: summarise(news),
    reasons,
    findings: [],
    hunks: content.hunks,
    regions: picture?.regions ?? [],
    ignored: content.ignored,
  };
  return { verdict, memory: content.memory };
}

function rank(severity: Severity): number {
  return ["info", "notice", "important", "critical"].indexOf(severity);
}

function summarise(news: Reason[]): string {
  const [first, ...rest] = news;
  if (!first) return "No change";
  return rest.length === 0 ? first.summary : `${first.summary}; ${rest.length} more`;
}
