import { diffWords } from "#detection/diff-words.ts";

type Span = { from: number; to: number };

// A pair this long is marked whole: telling its words apart would take longer than a frame.
const longest = 4000;

/** Where two lines of a pair differ, by whole words, on each side. */
export function wordMarks(before: string, after: string): { old: Span[]; new: Span[] } {
  const marks: { old: Span[]; new: Span[] } = { old: [], new: [] };
  if (before.length > longest || after.length > longest) return marks;
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
