import { markScopeEntries } from "../bug-bounty-scope/scope-entry.ts";
import { diffLines } from "../line-and-word-diff/diff-lines.ts";
import { itemsIn } from "../line-and-word-diff/hunks.ts";
import { maskText } from "../noise-rules/mask-rules.ts";
import { decidedBy } from "../noise-rules/noise-rule.ts";
import { fileStamp } from "../noise-rules/value-rules.ts";
import type { ContentDifferences, Difference } from "./content-difference.ts";

// "# Generated 2026-01-02 03:04:05", "Last updated: Mon, 2 Jan 2026 03:04": with a time of day it is the current time.
const stamp =
  /((?:generated|rendered|built|exported|created|updated|modified|retrieved|timestamp|date)\b[^\d\n]{0,30})\d{1,4}[-/. ](?:\d{1,2}|[A-Z][a-z]{2,8})[-/., ]{1,2}\d{1,4}[T, ]{1,3}\d{1,2}:\d{2}(?::\d{2})?[\w.:+ -]{0,12}/gi;

/** Compares text line by line; blank lines and white space at the ends of lines don't count. */
export function compareTextFile(before: string, after: string): ContentDifferences {
  const a = linesOf(before);
  const b = linesOf(after);
  const found: Difference[] = [];
  const removedCounts = new Map<string, number>();
  const addedCounts = new Map<string, number>();
  const hunks = diffLines(a, b).map((hunk) => ({ hunk, sides: itemsIn(hunk, a, b) }));
  for (const { sides } of hunks) {
    for (const line of sides[0]) count(removedCounts, line, 1);
    for (const line of sides[1]) count(addedCounts, line, 1);
  }
  let lost = 0;
  for (const { hunk, sides } of hunks) {
    const removed = sides[0].filter((line) => !takeMoved(addedCounts, line, found));
    const added = sides[1].filter((line) => !takeMoved(removedCounts, line));
    // The line above stays when this one changes, so it names the location better than a line number.
    const place = `after “${(a[hunk.oldStart - 1] ?? "").trim().slice(0, 60)}”`;
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      const oldLine = removed[i] ?? null;
      const newLine = added[i] ?? null;
      const isStamp = oldLine !== null && newLine !== null && mask(oldLine) === mask(newLine);
      found.push({ place, before: oldLine, after: newLine, noise: isStamp ? decidedBy(fileStamp) : null });
      if (!isStamp) lost++;
    }
  }
  markScopeEntries(found, b);
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

/** Whether a line moved: it is also among those added or removed elsewhere, of which one is used up. */
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
