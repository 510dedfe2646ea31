import { observe, type TextChange } from "./compare-text.ts";
import { diffWords } from "./diff-words.ts";
import type { NoiseMemory } from "./noise-memory.ts";
import { isFolded } from "./often.ts";
import type { Change, Reason, Severity } from "./verdict.ts";

const MAX_CHANGES = 50;

/** Says in words what differs in the text, landmark by landmark, what is folded apart from what is pushed. */
export function textReasons(news: TextChange[], memory: NoiseMemory, left: number): Reason[] {
  // A page of which little is left is not something that changes often.
  const isWhole = left >= 0.5;
  const severity: Severity = isWhole ? "notice" : "important";
  const folds = (change: TextChange) => isWhole && isFolded(memory, observe(change));
  const groups = Map.groupBy(news, (change) => `${folds(change) ? "folded" : "pushed"} ${areaOf(change)}`);
  return [...groups].map(([name, changes]) => ({
    kind: "text",
    severity,
    summary: summarise(changes, areaOf(changes[0])),
    changes: changes.slice(0, MAX_CHANGES).map(toChange),
    count: changes.length,
    ...(name.startsWith("folded") ? { folded: true } : {}),
  }));
}

function areaOf(change: TextChange | undefined): string {
  return (change?.after ?? change?.before)?.area ?? "";
}

function summarise(changes: TextChange[], area: string): string {
  const added = changes.filter((change) => !change.before).length;
  const removed = changes.filter((change) => !change.after).length;
  const edited = changes.length - added - removed;
  const parts = [
    edited > 0 ? `${edited} ${edited === 1 ? "line" : "lines"} changed` : "",
    added > 0 ? `${added}${edited > 0 ? "" : added === 1 ? " line" : " lines"} added` : "",
    removed > 0 ? `${removed}${edited + added > 0 ? "" : removed === 1 ? " line" : " lines"} removed` : "",
  ].filter(Boolean);
  return parts.join(", ") + (area === "" ? "" : ` in ${area}`);
}

function toChange({ before, after }: TextChange): Change {
  const where = (after ?? before)?.area ?? "";
  const change: Change = { where, before: before?.text ?? null, after: after?.text ?? null };
  if (before && after) change.words = diffWords(before.text, after.text);
  return change;
}
