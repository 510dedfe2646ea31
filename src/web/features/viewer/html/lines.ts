import {
  type ElementLines,
  printElements,
  sourceElements,
} from "#detection/html-formatting/element-lines.ts";
import { diffLines, type LineHunk } from "#detection/line-and-word-diff/diff-lines.ts";

export type { LineHunk } from "#detection/line-and-word-diff/diff-lines.ts";

/** Two texts as lines, and the hunks in which they differ. `old` is empty if there is only one text. */
export type Diff = { old: string[]; new: string[]; hunks: LineHunk[] };

/** The lines on which the elements of two pages are. */
export type Elements = { old: ElementLines; new: ElementLines };

/** What to compare; `formatted` prints a page with one node per line, so that a minified one is readable. */
export type DiffRequest = { before: string | null; after: string; formatted: boolean };

/** Computes the diff, and a function that finds the elements in it, which takes longer than the diff itself. */
export function makeDiff(request: DiffRequest): Diff & { findElements: () => Elements } {
  const { before, after, formatted } = request;
  const old = before === null ? none : print(before, formatted);
  const fresh = print(after, formatted);
  return {
    old: old.lines,
    new: fresh.lines,
    hunks: before === null ? [] : diffLines(old.lines, fresh.lines),
    findElements: () => ({ old: old.elements(), new: fresh.elements() }),
  };
}

/** Joins lines into one text: passing 40,000 strings between threads takes far longer than splitting them again. */
export const joinLines = (lines: readonly string[]): string => ["", ...lines].join("\n");
export const cutLines = (text: string): string[] => text.split("\n").slice(1);

type Print = { lines: string[]; elements: () => ElementLines };

const none: Print = { lines: [], elements: () => [] };

function print(text: string, formatted: boolean): Print {
  const isPage = isHtml(text);
  if (formatted && isPage) return printElements(text);
  const json = formatted ? prettyJson(text) : undefined;
  if (json) return { lines: json.split("\n"), elements: () => [] };
  return { lines: text.split(/\r\n|\n|\r/), elements: () => (isPage ? sourceElements(text) : []) };
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
