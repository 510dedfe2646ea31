import { expect, test } from "vitest";
import { compare } from "./compare.ts";
import { emptyMemory } from "./noise-memory/noise-memory.ts";
import { snapshotOf } from "./snapshot/create-snapshot.ts";

const page = (count: number, text: (n: number) => string) =>
  snapshotOf(
    `<html><body><main>${Array.from({ length: count }, (_, n) => `<p>${text(n)}</p>`).join("")}</main></body></html>`,
    "html",
    "https://www.example.test/",
  );
const paragraphText = (n: number) => `Paragraph number ${n} about glass and where it is from`;

// Only the long test run uses the largest page, because the cost grows with its size.
const paragraphs = process.env.TEST_SIZE === "long" ? 60_000 : 20_000;

test(`one changed paragraph of ${paragraphs} is found, and nothing else`, () => {
  const { verdict, memory } = compare(
    page(paragraphs, paragraphText),
    page(paragraphs, (n) => (n === 11_000 ? "Out of stock" : paragraphText(n))),
    emptyMemory(),
  );
  expect(verdict.reasons).toMatchObject([{ kind: "text", count: 1, changes: [{ after: "Out of stock" }] }]);
  expect(JSON.stringify([{ ...verdict, hunks: [] }, memory]).length).toBeLessThan(20_000);
});

test("words added to one paragraph of 5 MB are an edit, and the page is still there", () => {
  const words = "Terms that nobody reads to their end. ".repeat(140_000);
  const { verdict } = compare(
    page(1, () => words),
    page(1, () => `${words.slice(0, 2_000_000)} except for refunds ${words.slice(2_000_000)}`),
    emptyMemory(),
  );
  expect(verdict.reasons).toMatchObject([{ kind: "text", count: 1 }]);
});

test("1 MB of entirely different words gives a verdict of bounded size", () => {
  const filler = " and a few words more".repeat(9);
  const { verdict, memory } = compare(
    page(4_000, (n) => paragraphText(n) + filler),
    page(4_000, (n) => `Other words ${n * 7} entirely${filler}`),
    emptyMemory(),
  );
  expect(verdict.changed).toBe(true);
  expect(JSON.stringify([{ ...verdict, hunks: [] }, memory]).length).toBeLessThan(2_000_000);
});
