import { expect, test } from "vitest";
import { printElements, sourceElements } from "./element-lines.ts";

const html = `<html><head><title>A</title></head>
<body><p>one
<b>two</b></p><script>a();
b();</script><p>three</p></body></html>`;

test("printElements returns the printed lines of each element", () => {
  const { lines, elements: find } = printElements(html);
  const elements = find();
  const pieces = (at: number) =>
    lines.slice(elements[2 * at], (elements[2 * at + 1] ?? 0) + 1).map((line) => line.trim());
  // html, head, title, body, p, b, script, p
  expect(elements).toHaveLength(16);
  expect(pieces(4)).toEqual(["<p>", "one", "<b>", "two", "</b>", "</p>"]);
  expect(pieces(5).slice(0, 2)).toEqual(["<b>", "two"]);
  expect(pieces(7).slice(0, 2)).toEqual(["<p>", "three"]);
});

test("sourceElements returns the source lines of each element", () => {
  const elements = sourceElements(html);
  const range = (at: number) => elements.slice(2 * at, 2 * at + 2);
  expect([range(0), range(1), range(4), range(5), range(6), range(7)]).toEqual([
    [0, 3],
    [0, 0],
    [1, 2],
    [2, 2],
    [2, 3],
    [3, 3],
  ]);
  expect(sourceElements("")).toEqual([]);
});
