import { diffWords } from "#detection/diff-words.ts";

type Span = { from: number; to: number };

// A longer pair has one mark, from its first difference to its last: all its words would take longer than a frame.
const longest = 4000;

/** Where two lines of a pair differ, by whole words, on each side. */
export function wordMarks(before: string, after: string): { old: Span[]; new: Span[] } {
  const marks: { old: Span[]; new: Span[] } = { old: [], new: [] };
  if (before.length > longest || after.length > longest) return oneMark(before, after);
  // What both are indented by is no part of what differs.
  let indent = 0;
  while (/\s/.test(before[indent] ?? "") && before[indent] === after[indent]) indent++;
  let old = indent;
  let fresh = indent;
  for (const { op, text } of diffWords(before.slice(indent), after.slice(indent))) {
    if (op === "removed") marks.old.push({ from: old, to: old + text.length });
    if (op === "added") marks.new.push({ from: fresh, to: fresh + text.length });
    if (op !== "added") old += text.length;
    if (op !== "removed") fresh += text.length;
  }
  return marks;
}

function oneMark(before: string, after: string): { old: Span[]; new: Span[] } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let end = 0;
  while (end < shorter - from && before.at(-1 - end) === after.at(-1 - end)) end++;
  while (from > 0 && isInWord(before[from - 1])) from--;
  while (end > 0 && isInWord(before.at(-end))) end--;
  const span = (line: string) => (from < line.length - end ? [{ from, to: line.length - end }] : []);
  return { old: span(before), new: span(after) };
}

// Halves of a pair of code units are never told apart.
const isInWord = (unit = "") => /[\w\ud800-\udfff]/.test(unit);
