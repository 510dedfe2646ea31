import { expect, test } from "vitest";
import { extractPage } from "../html-parsing/extract-page.ts";
import { findRowLabel } from "./find-row-label.ts";

const labelOf = (html: string, text: string) => {
  const page = extractPage(html, "https://shop.example/");
  const block = page.blocks.find((one) => one.text === text);
  if (!block) throw new Error(`no block ${text} in ${page.blocks.map((one) => one.text).join(", ")}`);
  return findRowLabel(block, page);
};

test.each([
  ["a table's row", "<table><tr><td>Fjell lamp<td>59 €<td>in stock</table>", "59 €", "Fjell lamp"],
  [
    "a row whose first cell is a number",
    "<table><tr><td>1<td>Fjell lamp<td>59 €</table>",
    "59 €",
    "Fjell lamp",
  ],
  [
    "a row of the inner table",
    "<table><tr><td>Outer<td><table><tr><td>Inner<td>7</table></table>",
    "7",
    "Inner",
  ],
  ["a list item", "<ul><li><h3>Fjell lamp</h3><p>A lamp.</p><p>59 €</p></ul>", "59 €", "Fjell lamp"],
  ["a card", "<article><h2>Fjell lamp</h2><div>59 €</div></article>", "59 €", "Fjell lamp"],
  ["a definition", "<dl><dt>Weight<dd>2 kg<dt>Height<dd>40 cm</dl>", "40 cm", "Height"],
  [
    "a row by role",
    "<div role=row><div role=cell>Fjell lamp</div><div role=cell>59 €</div></div>",
    "59 €",
    "Fjell lamp",
  ],
  [
    "a value beside its name",
    "<p>Prices</p><section><div><div>Shipping</div><div>4.90 €</div></div></section>",
    "4.90 €",
    "Shipping",
  ],
])("a text in %s has the label of the row", (_, html, text, label) => {
  expect(labelOf(html, text)).toBe(label);
});

test.each([
  ["the label itself", "<table><tr><td>Fjell lamp<td>59 €</table>", "Fjell lamp"],
  ["a paragraph", "<main><h1>News</h1><p>The shop is closed.</p></main>", "The shop is closed."],
  ["a row that is only a number", "<table><tr><td>1<td>59 €</table>", "59 €"],
  [
    "a value far from any name",
    `<div>${Array.from({ length: 9 }, (_, at) => `<p>Line ${at}</p>`).join("")}<p>59 €</p></div>`,
    "59 €",
  ],
])("%s has no label", (_, html, text) => {
  expect(labelOf(html, text)).toBeUndefined();
});

test("hidden words name nothing, and a long label is cut", () => {
  const hidden = "<table><tr><td><span hidden>Old name</span>Fjell lamp<td>59 €</table>";
  expect(labelOf(hidden, "59 €")).toBe("Fjell lamp");
  const long = `<table><tr><td>${"long name ".repeat(20)}<td>59 €</table>`;
  expect(labelOf(long, "59 €")).toMatch(/^long name .{60,80}…$/);
});
