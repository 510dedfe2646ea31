import { expect, test } from "vitest";
import { compare } from "./compare.ts";
import { emptyMemory } from "./noise-memory.ts";
import { snapshotOf } from "./snapshot-of.ts";

const rest = "<h1>Hall</h1><p>Guests keep the kitchen clean and lock the door when they leave the house.</p>";
const page = (html: string) => snapshotOf(`<main>${rest}${html}</main>`, "html", "https://www.example.test/");
const judge = (before: string, after: string) => compare(page(before), page(after), emptyMemory()).verdict;
const row = (seat: string, state: string) => `<tr><td>${seat}</td><td>${state}</td></tr>`;

test("two values that change places are edits, not a move", () => {
  const seats = (a: string, b: string) => `<table>${row("Seat 1", a)}${row("Seat 2", b)}</table>`;
  expect(judge(seats("Free", "Taken"), seats("Taken", "Free")).changed).toBe(true);
});

test("cells of which the border moved are edits", () => {
  const cells = (a: string, b: string) => `<table><tr><td>${a}</td><td>${b}</td></tr></table>`;
  expect(judge(cells("1", "23"), cells("12", "3")).changed).toBe(true);
});

test("words under another landmark are the same words", () => {
  const inside = (tag: string) => `</main><${tag}><p>Call 12 34 56 or see page 7.</p></${tag}><main>`;
  expect(judge(inside("footer"), inside("section"))).toMatchObject({ changed: false, reasons: [] });
});
