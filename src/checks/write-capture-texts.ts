import { diffLines } from "#detection/line-and-word-diff/diff-lines.ts";
import type { View } from "#detection/selectors-and-ignore-rules/apply-rules.ts";
import { openView, type StoredView } from "./stored-capture.ts";

type Captured = View | StoredView;
/** The captures of a change, and which texts about them are wanted. */
export type CaptureTextsInput = { before: Captured | null; after: Captured | null; wanted: CaptureText[] };
export type CaptureText = "snapshot" | "diff.full" | "patch";
export type CaptureTexts = { [name in CaptureText]?: string };

const textLimit = 16_000;
const contextLines = 3;

/** What a capture says and how it differs from the one before, as texts for messages. */
export function writeCaptureTexts({ before, after, wanted }: CaptureTextsInput): CaptureTexts {
  const [old, now] = [linesOf(before), linesOf(after)];
  const writers = {
    snapshot: () => now.join("\n"),
    "diff.full": () => writeDiff(old, now),
    patch: () => writePatch(old, now),
  };
  return Object.fromEntries(wanted.map((name) => [name, cutText(writers[name]())]));
}

const cutText = (text: string) =>
  text.length <= textLimit ? text : `${text.slice(0, textLimit - 1).toWellFormed()}…`;

/** The lines of a capture as it is compared; none if it is no longer stored. */
const linesOf = (view: Captured | null): string[] =>
  view ? openView(view).snapshot.text.flatMap(({ text }) => text.split("\n")) : [];

const marked = (mark: string, lines: string[]) => lines.map((line) => `${mark}${line}`);

function writeDiff(before: string[], after: string[]): string {
  let at = 0;
  const lines = diffLines(before, after).flatMap(({ oldStart, oldCount, newStart, newCount }) => {
    const same = before.slice(at, oldStart);
    at = oldStart + oldCount;
    return [
      ...marked("  ", same),
      ...marked("- ", before.slice(oldStart, at)),
      ...marked("+ ", after.slice(newStart, newStart + newCount)),
    ];
  });
  return [...lines, ...marked("  ", before.slice(at))].join("\n");
}

/** A unified diff: hunks whose surrounding lines touch are one. */
function writePatch(before: string[], after: string[]): string {
  const groups: ReturnType<typeof diffLines>[] = [];
  for (const hunk of diffLines(before, after)) {
    const last = groups.at(-1)?.at(-1);
    const isNear = last && hunk.oldStart - (last.oldStart + last.oldCount) <= 2 * contextLines;
    if (isNear) groups.at(-1)?.push(hunk);
    else groups.push([hunk]);
  }
  return groups.map((group) => writeGroup(group, before, after)).join("\n");
}

function writeGroup(group: ReturnType<typeof diffLines>, before: string[], after: string[]): string {
  const [first, last] = [group[0]!, group.at(-1)!];
  const from = Math.max(0, first.oldStart - contextLines);
  const to = Math.min(before.length, last.oldStart + last.oldCount + contextLines);
  const newFrom = first.newStart - (first.oldStart - from);
  const newCount = last.newStart + last.newCount - newFrom + (to - last.oldStart - last.oldCount);
  let at = from;
  const lines = group.flatMap(({ oldStart, oldCount, newStart, newCount: added }) => {
    const same = before.slice(at, oldStart);
    at = oldStart + oldCount;
    return [
      ...marked(" ", same),
      ...marked("-", before.slice(oldStart, at)),
      ...marked("+", after.slice(newStart, newStart + added)),
    ];
  });
  const range = (start: number, count: number) => `${count === 0 ? start : start + 1},${count}`;
  return [
    `@@ -${range(from, to - from)} +${range(newFrom, newCount)} @@`,
    ...lines,
    ...marked(" ", before.slice(at, to)),
  ].join("\n");
}
