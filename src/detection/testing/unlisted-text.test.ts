import fc from "fast-check";
import { expect, test } from "vitest";
import { compare } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import { findUnlistedText, linesOf } from "./unlisted-text.ts";

const tags = [
  ["<main><p>", "</p></main>"],
  ["<p>", "</p>"],
  ["<nav><ul><li><a href='/a'>", "</a></li></ul></nav>"],
  ["<header><button>", "</button></header>"],
  ["<footer><span>", "</span></footer>"],
  ["<aside><h3>", "</h3></aside>"],
  ["<table><tr><td>1</td><td>", "</td></tr></table>"],
  ["<div class='ad-slot'>", "</div>"],
  ["<div class='swiper'><div>", "</div></div>"],
  ["<div id='onetrust-banner-sdk'><button>Accept all</button>", "</div>"],
  ["<div role='dialog'><p>", "</p></div>"],
  ["<div style='display:none'>", "</div>"],
  ["<div aria-live='polite'>", "</div>"],
];
const texts = [
  "Out of stock",
  "Available!",
  "12.30 €",
  "5 minutes ago",
  "1,204 views",
  "20:54 Uhr",
  "29.01.22",
  "Sign in",
  "Cart (2)",
  "We use cookies on this site.",
  "DAX 15,020.30 +1.2 %",
  "Request ID: a813b3c2709db5a3",
  "Guests keep the kitchen clean and lock the door.",
  "Loading…",
  "12 reviews",
  "7",
  "© 2026 House",
  "4.4.1",
];
const pieceOf = (among: string[][]) =>
  fc
    .tuple(fc.constantFrom(...among), fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 3 }))
    .map(([[open, close], words]) => `${open}${words.join(" ")}${close}`);
const bodyOf = (among: string[][]) =>
  fc.array(pieceOf(among), { maxLength: 10 }).map((pieces) => pieces.join("\n"));
const body = bodyOf(tags);
const visible = bodyOf(tags.filter(([open]) => !open?.includes("none")));
const show = (html: string) => snapshotOf(`<body>${html}</body>`, "html", "https://www.example.test/");
const judge = (before: string, after: string) => compare(show(before), show(after), emptyMemory()).verdict;

test("every line that differs is reported or listed", () => {
  fc.assert(
    fc.property(body, body, (before, after) => {
      expect(findUnlistedText(before, after, judge(before, after))).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test("every word is reported or listed as often as it was added or removed", () => {
  const words = (texts: (string | null)[]) => texts.flatMap((text) => text?.match(/\S+/g) ?? []);
  const add = (counts: Map<string, number>, list: string[], by: number) => {
    for (const word of list) counts.set(word, (counts.get(word) ?? 0) + by);
  };
  fc.assert(
    fc.property(visible, visible, (before, after) => {
      const { reasons, ignored } = judge(before, after);
      const listed = [
        ...reasons.filter(({ kind }) => /text/.test(kind)).flatMap(({ changes }) => changes),
        // An entry with a count is an example of one kind of markup.
        ...ignored.filter(({ count }) => count === undefined),
      ];
      const counts = new Map<string, number>();
      add(counts, words(linesOf(after)), 1);
      add(counts, words(linesOf(before)), -1);
      // Examples of markup differences stand for several.
      const texts = listed.filter((one) => !("count" in one));
      add(counts, words(texts.map((one) => one.after)), -1);
      add(counts, words(texts.map((one) => one.before)), 1);
      expect([...counts].filter(([, count]) => count !== 0)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test("unlistedText finds what a verdict leaves out", () => {
  const [before, after] = [
    "<p>Guests lock the door.</p><p>One</p>",
    "<p>Guests lock the door.</p><p>Two</p>",
  ];
  const verdict = judge(before, after);
  expect(findUnlistedText(before, after, verdict)).toEqual([]);
  expect(findUnlistedText(before, after, { ...verdict, reasons: [] })).toEqual(["One", "Two"]);
});

test("an image or inline drawing doesn't split a line", () => {
  const drawn = '<svg viewBox="0 0 1 1"><g><path d="M0 0"/></g></svg>';
  expect(linesOf(`<p>Ad Choices ${drawn} here <img src="/a.png"> · now</p><p>Next</p>`)).toEqual([
    "Ad Choices here · now",
    "Next",
  ]);
});
