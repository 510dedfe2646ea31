import { diffLines, type LineHunk } from "#detection/diff-lines.ts";
import { type ElementLines, printElements, sourceElements } from "#detection/element-lines.ts";

export type { LineHunk } from "#detection/diff-lines.ts";

/** Two texts as lines, and the stretches in which they differ. `old` is empty when there is only one. */
export type Diff = { old: string[]; new: string[]; hunks: LineHunk[] };

/** On which lines the elements of two pages stand. */
export type Elements = { old: ElementLines; new: ElementLines };

/** What is compared: `formatted` prints a page one node a line, so that a minified one can be read. */
export type DiffRequest = { before: string | null; after: string; formatted: boolean };

/** The difference, and how to find the elements in it, which takes longer than the difference itself. */
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

/** Lines as one text: forty thousand strings take far longer to cross between threads than to be cut anew. */
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
