import { canonicalHtml } from "#detection/canonical-html.ts";
import { diffLines, type LineHunk } from "#detection/diff-lines.ts";

export type { LineHunk } from "#detection/diff-lines.ts";

/** Two texts as lines, and the stretches in which they differ. `old` is empty when there is only one. */
export type Diff = { old: string[]; new: string[]; hunks: LineHunk[] };

/** What is compared: `formatted` prints a page one node a line, so that a minified one can be read. */
export type DiffRequest = { before: string | null; after: string; formatted: boolean };

export function makeDiff({ before, after, formatted }: DiffRequest): Diff {
  const fresh = linesOf(after, formatted);
  if (before === null) return { old: [], new: fresh, hunks: [] };
  const old = linesOf(before, formatted);
  return { old, new: fresh, hunks: diffLines(old, fresh) };
}

function linesOf(text: string, formatted: boolean): string[] {
  if (formatted) {
    if (isHtml(text)) return canonicalHtml(text).lines;
    const json = prettyJson(text);
    if (json) return json.split("\n");
  }
  return text.split(/\r\n|\n|\r/);
}

function isHtml(text: string): boolean {
  return /<(?:!doctype\s+html|html|head|body|div|p|main|title|script|table)[\s>]/i.test(text.slice(0, 4096));
}

function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}
