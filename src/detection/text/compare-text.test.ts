import { expect, test } from "vitest";
import { compare } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";

const filler =
  "<h1>Hall</h1><p>Guests keep the kitchen clean and lock the door when they leave the house.</p>";
const page = (html: string) =>
  snapshotOf(`<main>${filler}${html}</main>`, "html", "https://www.example.test/");
const judge = (before: string, after: string) => compare(page(before), page(after), emptyMemory()).verdict;
const row = (seat: string, state: string) => `<tr><td>${seat}</td><td>${state}</td></tr>`;

test("two swapped values are edits, not a move", () => {
  const seats = (a: string, b: string) => `<table>${row("Seat 1", a)}${row("Seat 2", b)}</table>`;
  expect(judge(seats("Free", "Taken"), seats("Taken", "Free")).changed).toBe(true);
});

test("text that moves from one table cell to the next is an edit", () => {
  const cells = (a: string, b: string) => `<table><tr><td>${a}</td><td>${b}</td></tr></table>`;
  expect(judge(cells("1", "23"), cells("12", "3")).changed).toBe(true);
});

test("the same words under another landmark are no change", () => {
  const inside = (tag: string) => `</main><${tag}><p>Call 12 34 56 or see page 7.</p></${tag}><main>`;
  expect(judge(inside("footer"), inside("section"))).toMatchObject({ changed: false, reasons: [] });
});

test("the same time in another notation is no change, another date is", () => {
  expect(judge("<p>vor 8 Min.</p>", "<p>20:13 Uhr</p>").changed).toBe(false);
  expect(judge("<p>20:54 Uhr</p>", "<p>29.01.22</p>").changed).toBe(false);
  expect(judge("<p>29.01.22</p>", "<p>30.01.22</p>").changed).toBe(true);
  expect(judge("<p>Ends 20:54</p>", "<p>Ends 29.01.22</p>").changed).toBe(true);
});

test("another number in a sentence is a change, another comment count isn't", () => {
  const storm = (number: number) =>
    `<p>The storm left ${number} people without a home, the mayor said on Monday.</p>`;
  expect(judge(storm(23), storm(25)).changed).toBe(true);
  expect(judge("<p>23 Kommentare</p>", "<p>25 Kommentare</p>").changed).toBe(false);
});

test("ids, class names and live regions alone don't make content noise", () => {
  const prose = (word: string) => `We keep ${word} for as long as the law asks us to. `.repeat(8);
  const parts: [string, string][] = [
    ["<section id='cookies'><h2>Cookies</h2>", "</section>"],
    ["<div class='intercom-article'>", "</div>"],
    ["<div class='ticker'>", "</div>"],
    ["<div aria-live='polite'>", "</div>"],
  ];
  for (const [open, close] of parts) {
    const text = open.includes("live") || open.includes("ticker") ? (word: string) => `Now: ${word}` : prose;
    expect([
      open,
      judge(`${open}${text("records")}${close}`, `${open}${text("nothing")}${close}`).changed,
    ]).toEqual([open, true]);
  }
});

test("changed hidden text is reported as hidden, text that becomes hidden as removed", () => {
  const shown = (style: string) => `<p ${style}>Sold out until May</p>`;
  const hide = "style='display:none'";
  expect(judge(shown(""), shown(hide)).reasons).toMatchObject([
    { kind: "text", changes: [{ before: "Sold out until May", after: null }] },
  ]);
  expect(judge(shown(hide), shown("")).reasons).toMatchObject([
    { kind: "text", changes: [{ before: null, after: "Sold out until May" }] },
  ]);
  expect(
    judge(`<p ${hide}>Sold out until May</p>`, `<p ${hide}>Sold out until June</p>`).reasons,
  ).toMatchObject([{ kind: "hidden-text" }]);
});
