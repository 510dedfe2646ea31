import type { Diff } from "./lines.ts";

/** One line of the view. Numbers count from 0; -1 is "not on this side". */
export type Row =
  | { kind: "same" | "changed" | "removed" | "added"; old: number; new: number; hunk: number }
  | { kind: "fold"; old: number; new: number; count: number; hunk: -1 };

type Options = {
  layout: "split" | "unified";
  /** Collapses identical lines, except for runs that the user expanded. */
  filter: boolean;
  opened: ReadonlySet<number>;
};

/** Returns the rows to render, in order. */
export function rowsOf(diff: Diff, { layout, filter, opened }: Options): Row[] {
  const rows: Row[] = [];
  let old = 0;
  let fresh = 0;
  const pushSame = (until: number) => {
    const count = until - old;
    if (count <= 0) return;
    if (filter && !opened.has(old)) {
      rows.push({ kind: "fold", old, new: fresh, count, hunk: -1 });
      old += count;
      fresh += count;
      return;
    }
    for (; old < until; old++, fresh++) rows.push({ kind: "same", old, new: fresh, hunk: -1 });
  };
  diff.hunks.forEach((hunk, at) => {
    pushSame(hunk.oldStart);
    const pairs = Math.min(hunk.oldCount, hunk.newCount);
    if (layout === "split") {
      for (let i = 0; i < Math.max(hunk.oldCount, hunk.newCount); i++) {
        rows.push({
          kind: i < pairs ? "changed" : i < hunk.oldCount ? "removed" : "added",
          old: i < hunk.oldCount ? hunk.oldStart + i : -1,
          new: i < hunk.newCount ? hunk.newStart + i : -1,
          hunk: at,
        });
      }
    } else {
      // Keeps the other line of a pair, to mark the differences within the line.
      for (let i = 0; i < hunk.oldCount; i++) {
        rows.push({
          kind: "removed",
          old: hunk.oldStart + i,
          new: i < pairs ? hunk.newStart + i : -1,
          hunk: at,
        });
      }
      for (let i = 0; i < hunk.newCount; i++) {
        rows.push({
          kind: "added",
          old: i < pairs ? hunk.oldStart + i : -1,
          new: hunk.newStart + i,
          hunk: at,
        });
      }
    }
    old = hunk.oldStart + hunk.oldCount;
    fresh = hunk.newStart + hunk.newCount;
  });
  pushSame(diff.old.length);
  return rows;
}

/** Returns the rows of a single text, without a comparison. */
export function plainRows(count: number): Row[] {
  return Array.from({ length: count }, (_, line) => ({ kind: "same", old: line, new: line, hunk: -1 }));
}

/** Returns the index of each hunk's first row, in order. */
export function hunkStarts(rows: readonly Row[]): number[] {
  const starts: number[] = [];
  rows.forEach((row, i) => {
    if (row.hunk >= 0 && row.hunk !== rows[i - 1]?.hunk) starts.push(i);
  });
  return starts;
}

/** Returns the indexes of the rows in which a text occurs, ignoring case. */
export function findRows(rows: readonly Row[], diff: Diff, wanted: string): number[] {
  const text = wanted.toLowerCase();
  if (text === "") return [];
  const has = (line: string | undefined) => line?.toLowerCase().includes(text) ?? false;
  const found: number[] = [];
  rows.forEach((row, i) => {
    if (row.kind === "fold") return;
    const inOld = row.kind !== "added" && row.kind !== "same" && has(diff.old[row.old]);
    if (inOld || (row.kind !== "removed" && has(diff.new[row.new]))) found.push(i);
  });
  return found;
}
