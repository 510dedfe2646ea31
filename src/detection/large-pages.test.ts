import { expect, test } from "vitest";
import { compare } from "./compare.ts";
import { emptyMemory } from "./noise-memory.ts";
import { snapshotOf } from "./snapshot-of.ts";

const page = (count: number, text: (n: number) => string) =>
  snapshotOf(
    `<html><body><main>${Array.from({ length: count }, (_, n) => `<p>${text(n)}</p>`).join("")}</main></body></html>`,
    "html",
    "https://www.example.test/",
  );
const said = (n: number) => `Paragraph number ${n} about glass and where it is from`;

// The long set has the largest: what it takes grows with it.
const paragraphs = process.env.TEST_SIZE === "long" ? 60_000 : 20_000;

test(`one paragraph of ${paragraphs} is found, and nothing else`, { timeout: 120_000 }, () => {
  const { verdict, memory } = compare(
    page(paragraphs, said),
    page(paragraphs, (n) => (n === 11_000 ? "Out of stock" : said(n))),
    emptyMemory(),
  );
  expect(verdict.reasons).toMatchObject([{ kind: "text", count: 1, changes: [{ after: "Out of stock" }] }]);
  expect(JSON.stringify([{ ...verdict, hunks: [] }, memory]).length).toBeLessThan(20_000);
});

test("1 MB that are all other words give a verdict of bounded size", { timeout: 120_000 }, () => {
  const filler = " and a few words more".repeat(9);
  const { verdict, memory } = compare(
    page(4_000, (n) => said(n) + filler),
    page(4_000, (n) => `Other words ${n * 7} entirely${filler}`),
    emptyMemory(),
  );
  expect(verdict.changed).toBe(true);
  expect(JSON.stringify([{ ...verdict, hunks: [] }, memory]).length).toBeLessThan(2_000_000);
});
