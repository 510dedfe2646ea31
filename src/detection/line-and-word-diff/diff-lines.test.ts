import fc from "fast-check";
import { expect, test } from "vitest";
import { diffLines, type LineHunk } from "./diff-lines.ts";

function replay(a: readonly string[], b: readonly string[], hunks: LineHunk[]): string[] {
  const result: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    for (const line of a.slice(at, hunk.oldStart)) result.push(line);
    for (const line of b.slice(hunk.newStart, hunk.newStart + hunk.newCount)) result.push(line);
    at = hunk.oldStart + hunk.oldCount;
  }
  return result.concat(a.slice(at));
}

function editCount(hunks: LineHunk[]): number {
  return hunks.reduce((sum, hunk) => sum + hunk.oldCount + hunk.newCount, 0);
}

function shortestEdit(a: readonly string[], b: readonly string[]): number {
  let row = b.map((_, j) => j + 1);
  row.unshift(0);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      next.push(a[i] === b[j] ? row[j]! : 1 + Math.min(row[j + 1]!, next[j]!));
    }
    row = next;
  }
  return row[b.length]!;
}

const lines = (text: string): string[] => text.split("");

test("reports where a line was inserted, removed or replaced", () => {
  expect(diffLines(lines("abcdef"), lines("abXcdf"))).toEqual([
    { oldStart: 2, oldCount: 0, newStart: 2, newCount: 1 },
    { oldStart: 4, oldCount: 1, newStart: 5, newCount: 0 },
  ]);
  expect(diffLines(["a", "b", "c"], ["a", "B", "c"])).toEqual([
    { oldStart: 1, oldCount: 1, newStart: 1, newCount: 1 },
  ]);
});

test("handles empty and equal sides", () => {
  expect(diffLines([], [])).toEqual([]);
  expect(diffLines(["a"], ["a"])).toEqual([]);
  expect(diffLines([], ["a", "b"])).toEqual([{ oldStart: 0, oldCount: 0, newStart: 0, newCount: 2 }]);
  expect(diffLines(["a", "b"], [])).toEqual([{ oldStart: 0, oldCount: 2, newStart: 0, newCount: 0 }]);
});

test("puts an inserted element between its neighbors, not across them", () => {
  const before = ["<ul>", " <li>", "  one", " <li>", "  three"];
  const after = ["<ul>", " <li>", "  one", " <li>", "  two", " <li>", "  three"];
  expect(diffLines(before, after)).toEqual([{ oldStart: 3, oldCount: 0, newStart: 3, newCount: 2 }]);
});

test("keeps unique lines as anchors when a block moves", () => {
  const hunks = diffLines(lines("1abc2def"), lines("2def1abc"));
  expect(editCount(hunks)).toBe(8);
});

test("hunks turn the old lines into the new ones for any pair", () => {
  const side = fc.array(fc.constantFrom("a", "b", "c", " d", ""), { maxLength: 60 });
  fc.assert(
    fc.property(side, side, (a, b) => {
      expect(replay(a, b, diffLines(a, b))).toEqual(b);
    }),
    { numRuns: 2000 },
  );
});

test("finds a shortest edit where no line is unique to both sides", () => {
  const side = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 30 });
  fc.assert(
    fc.property(side, side, (a, b) => {
      const doubled = ["a", "b", "c", "a", "b", "c"];
      const left = ["w", ...doubled, ...a, "x"];
      const right = ["y", ...b, ...doubled, "z"];
      expect(editCount(diffLines(left, right))).toBe(shortestEdit(left, right));
    }),
    { numRuns: 1000 },
  );
});

test("hunks of long mutated sequences give the new lines and touch only edited ones", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 1, max: 40 }), (seed, edits) => {
      let state = seed;
      const random = (below: number): number => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
      };
      const a = Array.from({ length: 3000 }, (_, i) => (random(3) === 0 ? "</div>" : `line ${i}`));
      const b = [...a];
      for (let i = 0; i < edits; i++) b.splice(random(b.length), random(2), `edit ${i}`);
      const hunks = diffLines(a, b);
      expect(replay(a, b, hunks)).toEqual(b);
      expect(editCount(hunks)).toBeLessThanOrEqual(edits * 2);
    }),
    { numRuns: 30 },
  );
});

test("hunks of two unrelated files made of the same few lines are coarse but correct", () => {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  };
  const a = Array.from({ length: 20_000 }, () => `${random() % 100}`);
  const b = Array.from({ length: 20_000 }, () => `${random() % 100}`);
  const hunks = diffLines(a, b);
  expect(replay(a, b, hunks)).toEqual(b);
});

test("hunks of 200,000 lines with a few edits are exact", () => {
  const a = Array.from({ length: 200_000 }, (_, i) => `${i % 5 === 0 ? "" : i}`);
  const b = [...a];
  b.splice(150_000, 1, "edited", "and more");
  b.splice(70_001, 2);
  b.unshift("first");
  const hunks = diffLines(a, b);
  expect(replay(a, b, hunks)).toEqual(b);
  expect(hunks).toEqual([
    { oldStart: 0, oldCount: 0, newStart: 0, newCount: 1 },
    { oldStart: 70_001, oldCount: 2, newStart: 70_002, newCount: 0 },
    { oldStart: 150_000, oldCount: 1, newStart: 149_999, newCount: 2 },
  ]);
});

test("hunks of very many lines with little in common are correct", () => {
  let state = 7;
  const letter = (): string => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return "abc"[(state >>> 20) % 3]!;
  };
  const a = Array.from({ length: 120_000 }, letter);
  const b = Array.from({ length: 110_000 }, letter);
  expect(replay(a, b, diffLines(a, b))).toEqual(b);
});

test("reports two files without a common line as one replacement", () => {
  const a = Array.from({ length: 20_000 }, (_, i) => `a${i}`);
  const b = Array.from({ length: 20_000 }, (_, i) => `b${i}`);
  expect(diffLines(a, b)).toEqual([{ oldStart: 0, oldCount: 20_000, newStart: 0, newCount: 20_000 }]);
});
