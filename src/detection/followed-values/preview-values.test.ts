import { expect, test } from "vitest";
import { Budget } from "../selectors-and-ignore-rules/rule-budget.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import { previewValues } from "./preview-values.ts";

test("a value is shown where the page shows it, and one that isn't found has no place", () => {
  const body = "<h1>Lamp</h1><p>About</p><b class=price>€ 45.40</b>";
  const page = snapshotOf(`<html><head></head><body>${body}</body></html>`, "html", "http://shop.example/");
  const boxes = Array.from({ length: 6 }, (_, at) => ({ x: 10 * at, y: 20, width: 30, height: 8 }));
  const packed = `0,k,u,8${";a".repeat(5)}`;
  const snapshot = { ...page, layout: { elements: 6, boxes: packed, texts: "" } };
  const follow = [
    { name: "a", by: "price" as const, rule: "" },
    { name: "b", by: "selector" as const, rule: "p" },
    { name: "c", by: "selector" as const, rule: ".stock" },
    { name: "d", by: "pattern" as const, rule: "/(/" },
  ];
  const found = previewValues(snapshot, { selector: null, ignore: [] }, follow, () => new Budget());
  expect(found).toEqual([
    { text: "€ 45.40", number: 45.4, box: boxes[5] },
    { text: "About", number: null, box: boxes[4] },
    { text: null, number: null, box: null },
    { problem: expect.stringContaining("not a pattern") },
  ]);
});
