import { diffWords } from "#detection/line-and-word-diff/diff-words.ts";

type Span = { from: number; to: number };

// In characters. A longer pair gets one mark from its first to its last difference: words would take over a frame.
const longest = 4000;

/** Returns where the two lines of a pair differ, in whole words, for each side. */
export function wordMarks(before: string, after: string): { old: Span[]; new: Span[] } {
  const marks: { old: Span[]; new: Span[] } = { old: [], new: [] };
  if (before.length > longest || after.length > longest) return oneMark(before, after);
  // Common indentation is not part of the difference.
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

// Surrogates count as parts of a word, so that a mark never splits a surrogate pair.
const isInWord = (unit = "") => /[\w\ud800-\udfff]/.test(unit);
