import { expect, test } from "vitest";
import { compare } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { applyRules, parseRules } from "../selectors-and-ignore-rules/apply-rules.ts";
import type { Rules } from "../selectors-and-ignore-rules/rules.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Box, Region } from "../verdict/verdict.ts";
import { describeRegions } from "./describe-regions.ts";

const row = (at: number): Box => ({ x: 0, y: at * 20, width: 300, height: 20 });
const pack = (rows: (number[] | null)[]) => {
  let last: number[] = [];
  return rows
    .map((numbers) => {
      if (!numbers) return "-";
      const more = numbers.map((value, i) => (value - (last[i] ?? 0)).toString(36));
      last = numbers;
      return more.join(",");
    })
    .join(";");
};
const numbers = ({ x, y, width, height }: Box) => [x, y, width, height];

/** A page of lines 20 pixels high, each in its own element; html, head, body and main come before them. */
function page(...lines: string[]): Snapshot {
  const html = `<html><head></head><body><main>${lines.map((line) => `<p>${line}</p>`).join("")}</main></body></html>`;
  const pageBox = { x: 0, y: 0, width: 300, height: lines.length * 20 };
  const texts = lines.map((line) => line.replace(/<[^>]+>/g, ""));
  const inner = lines.flatMap((line, at) => [
    numbers(row(at)),
    ...(line.includes("<") ? [numbers({ ...row(at), x: 200, width: 50 })] : []),
  ]);
  const owners = lines.map(
    (_, at) => 4 + at + lines.slice(0, at).filter((line) => line.includes("<")).length,
  );
  const boxes = [pageBox, pageBox, pageBox].map(numbers);
  return {
    ...snapshotOf(html, "html", "https://www.example.test/"),
    text: texts.map((text) => ({ role: "paragraph", area: "main", text })),
    layout: {
      elements: 4 + inner.length,
      boxes: pack([boxes[0] ?? null, null, boxes[1] ?? null, boxes[2] ?? null, ...inner]),
      texts: pack(lines.map((_, at) => [owners[at] ?? 0, ...numbers(row(at))])),
    },
  };
}

const story = ["The shop is open every day.", "Lamps are made by hand.", "Delivery takes two days."];
const at = (line: number, kind: Region["kind"] = "changed"): Region => ({
  kind,
  old: kind === "added" ? null : { ...row(line), x: 150, width: 40 },
  new: kind === "removed" ? null : { ...row(line), x: 150, width: 40 },
});

function describe(before: Snapshot, after: Snapshot, regions: Region[], rules: Partial<Rules> = {}) {
  const parsed = parseRules({ selector: null, ignore: [], ...rules });
  const [one, other] = [applyRules(before, parsed), applyRules(after, parsed)];
  const picture = { similarity: 95, regions };
  const { verdict } = compare(one.snapshot, other.snapshot, emptyMemory(), picture);
  return describeRegions(verdict, one, other);
}

test("a region has the description and element of its change, and the change has its region's index", () => {
  const { regions, reasons } = describe(
    page(...story, "Fjell lamp 59.00 €"),
    page(...story, "Fjell lamp 64.00 €", "Ember stove 119.00 €"),
    [at(3), at(4, "added")],
  );
  expect(regions).toMatchObject([
    { says: "“Fjell lamp” 59.00 € → 64.00 €", at: { old: 7, new: 7 } },
    { says: "“Ember stove 119.00 €” added", at: { old: null, new: 8 } },
  ]);
  expect(regions.some(({ isNoise }) => isNoise)).toBe(false);
  expect(reasons[0]?.changes.map(({ region }) => region)).toEqual([0, 1]);
});

test("new text on an empty background is an added region, and text that disappears a removed one", () => {
  const [less, more] = [
    page(...story, "Fjell lamp 59.00 €"),
    page(...story, "Fjell lamp 59.00 €", "Ember stove"),
  ];
  expect(describe(less, more, [at(4)]).regions).toMatchObject([{ kind: "added" }]);
  expect(describe(more, less, [at(4)]).regions).toMatchObject([{ kind: "removed" }]);
  const other = page(...story, "Fjell lamp 64.00 €");
  expect(describe(less, other, [at(3)]).regions).toMatchObject([{ kind: "changed" }]);
});

test("changes of equal lines each get their own region", () => {
  const { reasons } = describe(
    page(...story, "Free", "Standing", "Free"),
    page(...story, "Taken", "Standing", "Taken"),
    [at(3), at(5)],
  );
  expect(reasons[0]?.changes.map(({ region }) => region)).toEqual([0, 1]);
});

test("only the region of a suppressed difference is marked as noise", () => {
  const { regions, ignored, changed } = describe(
    page(...story, "Updated 5 minutes ago", "Fjell lamp 59.00 €"),
    page(...story, "Updated 9 minutes ago", "Fjell lamp 64.00 €"),
    [at(3), at(4), at(0)],
  );
  expect(changed).toBe(true);
  expect(regions.map(({ isNoise }) => isNoise ?? false)).toEqual([true, false, false]);
  expect(ignored).toMatchObject([{ why: "time", region: 0 }]);
});

test("without a change every region is noise; without a layout regions get no description", () => {
  const [before, after] = [page(...story, "Updated 5 minutes ago"), page(...story, "Updated 9 minutes ago")];
  expect(describe(before, after, [at(3), at(0)]).regions.every(({ isNoise }) => isNoise)).toBe(true);
  const { layout: _, ...withoutLayout } = page(...story, "One");
  const { layout: __, ...other } = page(...story, "Two");
  expect(describe(withoutLayout, other, [at(3)]).regions).toEqual([at(3)]);
});

test("content that rules ignore is in no description, and its area is returned to be shaded", () => {
  const line = (price: string, stock: string) => `Fjell lamp ${price} € <i class="ad">${stock}</i>`;
  const [before, after] = [page(...story, line("59.00", "5 left")), page(...story, line("64.00", "2 left"))];
  const { regions, sights } = describe(before, after, [at(3)], { ignore: [".ad"] });
  expect(JSON.stringify(regions)).not.toContain("left");
  expect(sights?.new).toEqual({ only: null, hidden: [{ x: 200, y: 60, width: 50, height: 20 }] });
  expect(describe(before, after, [at(3)]).sights).toBeUndefined();
});

test("each of 500 regions on 500 lines gets its own description", () => {
  const lines = Array.from({ length: 500 }, (_, i) => `Line ${i} of many`);
  const regions = lines.map((_, i) => at(i));
  const { regions: described } = describe(
    page(...lines),
    page(...lines.map((line) => `${line} more`)),
    regions,
  );
  expect(described).toHaveLength(500);
  expect(described[499]?.says).toContain("more");
});
