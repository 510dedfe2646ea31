import fc from "fast-check";
import { expect, test } from "vitest";
import { compareJson } from "./compare-json.ts";

function differences(before: unknown, after: unknown): string[] {
  const result = compareJson(JSON.stringify(before), JSON.stringify(after));
  return result!.found.map(
    ({ place, before: old, after: now, noise }) => `${place}: ${old} → ${now}${noise ? ` (${noise})` : ""}`,
  );
}

test("names the path, the value before and the value after", () => {
  expect(differences({ a: { b: 1, c: "x" } }, { a: { b: 2, c: "x" } })).toEqual(["a.b: 1 → 2"]);
  expect(differences({ a: 1 }, { a: 1, b: { c: true } })).toEqual(['b: null → {"c":true}']);
  expect(differences({ a: 1, b: null }, { a: 1 })).toEqual(["b: null → null"]);
  expect(differences(1, "1")).toEqual([": 1 → 1"]);
});

test("ignores the order of keys and white space", () => {
  expect(compareJson('{"a":1,"b":[{"c":2,"d":3}]}', '{ "b": [ {"d":3, "c":2} ],\n "a": 1 }')).toMatchObject({
    found: [],
    standing: 1,
  });
});

test("reports an element inserted before others as one addition", () => {
  const items = [
    { id: 1, n: "a" },
    { id: 2, n: "b" },
  ];
  expect(differences({ items }, { items: [{ id: 3, n: "c" }, ...items] })).toEqual([
    'items[id=3]: null → {"id":3,"n":"c"}',
  ]);
});

test("matches an element by its key if the list is reordered and one field changed", () => {
  const before = [
    { asset: "a.example", asset_identifier: "a", max: "high" },
    { asset: "b.example", asset_identifier: "b", max: "low" },
  ];
  const after = [{ ...before[1], max: "critical" }, before[0]];
  expect(differences(before, after)).toEqual(["[asset_identifier=b].max: low → critical"]);
});

test("matches an element without a key by similarity", () => {
  const before = [
    { t: "x", a: 1, b: 2, c: 3 },
    { t: "y", a: 4, b: 5, c: 6 },
  ];
  expect(differences(before, [{ t: "y", a: 4, b: 5, c: 7 }, before[0]])).toEqual(["[0].c: 6 → 7"]);
});

test("reports a changed item of a plain list by its index, and a mere reordering as noise", () => {
  expect(differences(["a", "b", "c"], ["a", "x", "c"])).toEqual(["[1]: b → x"]);
  expect(differences(["a", "b"], ["a", "b", "c"])).toEqual(["[2]: null → c"]);
  expect(differences(["a", "b", "b"], ["b", "a", "b"])).toEqual([": null → null (order)"]);
  expect(differences(["a", "b", "b"], ["b", "a", "a"])).toEqual([": null → null (order)", "[2]: b → a"]);
});

test("marks counters and times as noise, but not values that somebody set", () => {
  expect(
    differences(
      { average_time_to_bounty: 3.5, viewCount: 10 },
      { average_time_to_bounty: null, viewCount: 11 },
    ),
  ).toEqual(["average_time_to_bounty: 3.5 → null (counter)", "viewCount: 10 → 11 (counter)"]);
  expect(
    differences({ generatedAt: "2026-01-01T10:00:00Z" }, { generatedAt: "2026-01-01T11:00:00Z" }),
  ).toEqual(["generatedAt: 2026-01-01T10:00:00Z → 2026-01-01T11:00:00Z (time)"]);
  expect(
    differences(
      { price: 10, version: "1.2.3", deadline: "2026-01-01", tax_rate: 19 },
      { price: 11, version: "1.2.4", deadline: "2026-02-01", tax_rate: 20 },
    ),
  ).toHaveLength(4);
  expect(differences({ price: 10 }, { price: 11 })).toEqual(["price: 10 → 11"]);
  // A step from zero to some is a change of state.
  expect(differences({ viewers: 0, votes: 0 }, { viewers: 5, votes: 0 })).toEqual(["viewers: 0 → 5"]);
  expect(
    differences(
      { average_price: 10, cvss: { baseScore: 5.4 } },
      { average_price: 11, cvss: { baseScore: 9.8 } },
    ),
  ).toEqual(["average_price: 10 → 11", "cvss.baseScore: 5.4 → 9.8"]);
  expect(
    differences(
      { image: "https://cdn.example/a.png?X-Amz-Signature=3f9a1c2b4d5e" },
      { image: "https://cdn.example/a.png?X-Amz-Signature=99aa1c2b4d5e" },
    ),
  ).toEqual([
    "image: https://cdn.example/a.png?X-Amz-Signature=3f9a1c2b4d5e → https://cdn.example/a.png?X-Amz-Signature=99aa1c2b4d5e (asset-version)",
  ]);
  expect(
    differences({ image: "https://cdn.example/a.png" }, { image: "https://evil.example/a.png" }),
  ).toEqual(["image: https://cdn.example/a.png → https://evil.example/a.png"]);
  expect(differences({ updated_at: "2026-01-01T10:00:00Z" }, { updated_at: "hacked" })).toEqual([
    "updated_at: 2026-01-01T10:00:00Z → hacked",
  ]);
});

test("finds a changed digit in a number too long for a double", () => {
  expect(compareJson('{"id":12345678901234567890}', '{"id":12345678901234567891}')!.found).toHaveLength(1);
});

test("reads JSON Lines, and returns undefined for invalid or too deeply nested JSON", () => {
  expect(compareJson('{"id":1,"v":1}\n{"id":2,"v":1}', '{"id":1,"v":1}\n{"id":2,"v":2}')!.found).toEqual([
    { place: "[id=2].v", before: "1", after: "2", noise: null },
  ]);
  expect(compareJson("{", "{}")).toBeUndefined();
  expect(compareJson("[".repeat(100_000), "[]")).toBeUndefined();
});

test("handles keys like __proto__ and constructor", () => {
  expect(compareJson('{"__proto__":1}', '{"__proto__":2}')!.found).toMatchObject([
    { place: "__proto__", before: "1" },
  ]);
  expect(compareJson('{"constructor":1}', "{}")!.found).toMatchObject([
    { place: "constructor", after: null },
  ]);
});

test("a value never differs from itself, even with shuffled keys, and any other value differs", () => {
  const shuffled = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shuffled)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, item]) => [key, shuffled(item)]),
          )
        : value;
  const sorted = (value: unknown): string =>
    JSON.stringify(value, (_, item: unknown) =>
      typeof item === "object" && item !== null && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).sort(([p], [q]) => (p < q ? -1 : 1)))
        : item,
    );
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(compareJson(JSON.stringify(a), JSON.stringify(shuffled(a)))!.found).toEqual([]);
      const { found, standing } = compareJson(JSON.stringify(a), JSON.stringify(b))!;
      expect(found.length > 0).toBe(sorted(a) !== sorted(b));
      expect(standing).toBe(compareJson(JSON.stringify(b), JSON.stringify(a))!.standing);
    }),
    { numRuns: 500 },
  );
});
