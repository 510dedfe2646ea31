import type { TextChange } from "./compare-text.ts";
import { diffWords } from "./diff-words.ts";
import type { Change, Reason, Severity } from "./verdict.ts";

const MAX_CHANGES = 50;

/** Says in words what differs in the text, landmark by landmark. */
export function textReasons(news: TextChange[], left: number): Reason[] {
  const byArea = new Map<string, TextChange[]>();
  for (const change of news) {
    const area = (change.after ?? change.before)?.area ?? "";
    const group = byArea.get(area);
    if (group) group.push(change);
    else byArea.set(area, [change]);
  }
  const severity: Severity = left < 0.5 ? "important" : "notice";
  return [...byArea].map(([area, changes]) => ({
    kind: "text",
    severity,
    summary: summarise(changes, area),
    changes: changes.slice(0, MAX_CHANGES).map(toChange),
    count: changes.length,
  }));
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
