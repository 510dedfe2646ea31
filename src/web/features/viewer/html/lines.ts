import { diffLines, type LineHunk } from "#detection/diff-lines.ts";
import { type ElementLines, printElements, sourceElements } from "#detection/element-lines.ts";

export type { LineHunk } from "#detection/diff-lines.ts";

/** Two texts as lines, and the stretches in which they differ. `old` is empty when there is only one. */
export type Diff = {
  old: string[];
  new: string[];
  hunks: LineHunk[];
  /** On which lines the elements of a page stand. */
  oldElements: ElementLines;
  newElements: ElementLines;
};

/** What is compared: `formatted` prints a page one node a line, so that a minified one can be read. */
export type DiffRequest = { before: string | null; after: string; formatted: boolean };

export function makeDiff({ before, after, formatted }: DiffRequest): Diff {
  const fresh = print(after, formatted);
  if (before === null)
    return { old: [], new: fresh.lines, hunks: [], oldElements: [], newElements: fresh.elements };
  const old = print(before, formatted);
  return {
    old: old.lines,
    new: fresh.lines,
    hunks: diffLines(old.lines, fresh.lines),
    oldElements: old.elements,
    newElements: fresh.elements,
  };
}

function print(text: string, formatted: boolean): { lines: string[]; elements: ElementLines } {
  if (formatted) {
    if (isHtml(text)) return printElements(text);
    const json = prettyJson(text);
    if (json) return { lines: json.split("\n"), elements: [] };
  }
  return { lines: text.split(/\r\n|\n|\r/), elements: isHtml(text) ? sourceElements(text) : [] };
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
