import { diffWords } from "#detection/diff-words.ts";

type Span = { from: number; to: number };

// A pair this long is marked whole: telling its words apart would take longer than a frame.
const longest = 4000;

/** Where two lines of a pair differ, by whole words, on each side. */
export function wordMarks(before: string, after: string): { old: Span[]; new: Span[] } {
  const marks: { old: Span[]; new: Span[] } = { old: [], new: [] };
  if (before.length > longest || after.length > longest) return marks;
  let old = 0;
  let fresh = 0;
  for (const { op, text } of diffWords(before, after)) {
    if (op === "removed") marks.old.push({ from: old, to: old + text.length });
    if (op === "added") marks.new.push({ from: fresh, to: fresh + text.length });
    if (op !== "added") old += text.length;
    if (op !== "removed") fresh += text.length;
  }
  return marks;
}
