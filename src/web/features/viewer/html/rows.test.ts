import { expect, test } from "vitest";
import { cutLines, joinLines, makeDiff } from "./lines.ts";
import { findRows, hunkStarts, type Row, rowsOf } from "./rows.ts";

const before = "a\nb\nc\nd\ne";
const after = "a\nB\nC2\nc\nd\ne\nf";
const diff = makeDiff({ before, after, formatted: false });
const brief = (rows: Row[]) =>
  rows.map((row) => (row.kind === "fold" ? `fold ${row.count}` : `${row.kind} ${row.old} ${row.new}`));
const options = { layout: "split", filter: false, opened: new Set<number>() } as const;

test("side by side, a changed line is in one row with its old version", () => {
  expect(brief(rowsOf(diff, options))).toEqual([
    "same 0 0",
    "changed 1 1",
    "added -1 2",
    "same 2 3",
    "same 3 4",
    "same 4 5",
    "added -1 6",
  ]);
});

test("unified, old lines come first, and changed lines refer to each other", () => {
  expect(brief(rowsOf(diff, { ...options, layout: "unified" })).slice(1, 4)).toEqual([
    "removed 1 1",
    "added 1 1",
    "added -1 2",
  ]);
});

test("'Filter new findings' hides lines identical to the reference until a run is expanded", () => {
  const filtered = { ...options, filter: true };
  expect(brief(rowsOf(diff, filtered))).toEqual([
    "fold 1",
    "changed 1 1",
    "added -1 2",
    "fold 3",
    "added -1 6",
  ]);
  expect(brief(rowsOf(diff, { ...filtered, opened: new Set([2]) }))).toEqual([
    "fold 1",
    "changed 1 1",
    "added -1 2",
    "same 2 3",
    "same 3 4",
    "same 4 5",
    "added -1 6",
  ]);
});

test("each hunk is one step, also when identical lines are hidden", () => {
  expect(hunkStarts(rowsOf(diff, options))).toEqual([1, 6]);
  expect(hunkStarts(rowsOf(diff, { ...options, filter: true }))).toEqual([1, 4]);
});

test("a search covers the shown rows on both sides and ignores case", () => {
  const rows = rowsOf(diff, options);
  expect(findRows(rows, diff, "C")).toEqual([2, 3]);
  expect(findRows(rows, diff, "b")).toEqual([1]);
  expect(findRows(rows, diff, "")).toEqual([]);
});

test("a minified page is compared node by node, JSON value by value", () => {
  const html = makeDiff({ before: "<p>a</p><p>b</p>", after: "<p>a</p><p>c</p>", formatted: true });
  expect(html.hunks).toEqual([{ oldStart: 4, oldCount: 1, newStart: 4, newCount: 1 }]);
  const json = makeDiff({ before: '{"a":1,"b":2}', after: '{"a":1,"b":3}', formatted: true });
  expect(json.new).toEqual(["{", '  "a": 1,', '  "b": 3', "}"]);
  expect(json.hunks).toEqual([{ oldStart: 2, oldCount: 1, newStart: 2, newCount: 1 }]);
  expect(makeDiff({ before: null, after: "{broken", formatted: true }).new).toEqual(["{broken"]);
});

test.each([{ lines: [] }, { lines: [""] }, { lines: ["", "a", "", ""] }])(
  "lines are the same after they were passed between threads: $lines",
  ({ lines }) => {
    expect(cutLines(joinLines(lines))).toEqual(lines);
  },
);
