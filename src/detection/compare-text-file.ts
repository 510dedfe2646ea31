import type { ContentDifferences, Difference } from "./content-difference.ts";
import { diffLines } from "./diff-lines.ts";
import { maskText } from "./noise/mask-text.ts";
import { markScope } from "./scope-entry.ts";

// "# Generated 2026-01-02 03:04:05", "Last updated: Mon, 2 Jan 2026 03:04": a stamp with the time of day is now.
const stamp =
  /((?:generated|rendered|built|exported|created|updated|modified|retrieved|timestamp|date)\b[^\d\n]{0,30})\d{1,4}[-/. ](?:\d{1,2}|[A-Z][a-z]{2,8})[-/., ]{1,2}\d{1,4}[T, ]{1,3}\d{1,2}:\d{2}(?::\d{2})?[\w.:+ -]{0,12}/gi;

/** Compares text line by line; white space at the ends of lines and blank lines are no change. */
export function compareTextFile(before: string, after: string): ContentDifferences {
  const a = linesOf(before);
  const b = linesOf(after);
  const found: Difference[] = [];
  const gone = new Map<string, number>();
  const hunks = diffLines(a, b);
  for (const hunk of hunks) {
    for (let i = 0; i < hunk.oldCount; i++) count(gone, a[hunk.oldStart + i]!, 1);
  }
  const come = new Map<string, number>();
  for (const hunk of hunks) {
    for (let i = 0; i < hunk.newCount; i++) count(come, b[hunk.newStart + i]!, 1);
  }
  let lost = 0;
  for (const hunk of hunks) {
    const removed = a
      .slice(hunk.oldStart, hunk.oldStart + hunk.oldCount)
      .filter((line) => !takeMoved(come, line, found));
    const added = b
      .slice(hunk.newStart, hunk.newStart + hunk.newCount)
      .filter((line) => !takeMoved(gone, line));
    // The line above stays when this one changes, so it names the place better than a number.
    const place = `after “${(a[hunk.oldStart - 1] ?? "").trim().slice(0, 60)}”`;
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      const from = removed[i] ?? null;
      const to = added[i] ?? null;
      const isStamp = from !== null && to !== null && mask(from) === mask(to);
      found.push({ place, before: from, after: to, noise: isStamp ? "time" : null });
      if (!isStamp) lost++;
    }
  }
  markScope(found, b);
  return {
    found,
    standing: Math.max(0, 1 - lost / Math.max(a.length, b.length, 1)),
    noun: "line",
    lines: [a, b],
  };
}

function linesOf(text: string): string[] {
  return text
    .replace(/^\ufeff/, "")
    .split(/\r\n?|\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
}

function count(lines: Map<string, number>, line: string, by: number): void {
  lines.set(line, (lines.get(line) ?? 0) + by);
}

/** Whether a line that left one place is one of those that turned up in another. */
function takeMoved(others: Map<string, number>, line: string, found?: Difference[]): boolean {
  const left = others.get(line) ?? 0;
  if (left === 0 || !/\w{4}/.test(line)) return false;
  count(others, line, -1);
  found?.push({ place: "", before: line, after: line, noise: null, moved: true });
  return true;
}

function mask(line: string): string {
  return maskText(line.replace(stamp, "$1⟨time⟩"));
}
