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

test("a frame and a title in another language are the visitor's, while the content stands", () => {
  const speak = (title: string, items: string[]) =>
    snapshotOf(
      `<title>${title}</title><nav>${items.map((item) => `<a href="/${items.indexOf(item)}">${item}</a><br>`).join("")}</nav><main>${rest.repeat(3)}</main>`,
      "html",
      "https://www.example.test/",
    );
  const english = speak("The house of guests", [
    "All about the house",
    "Your stay with us",
    "Rules for the guests",
  ]);
  const german = speak("Das Haus der Gäste", ["Alles über das Haus", "Sie und wir", "Regeln für die Gäste"]);
  const edited = speak("The house of guests", [
    "All about the hall",
    "Your day with us",
    "Rules for the party",
  ]);
  expect(compare(english, german, emptyMemory()).verdict).toMatchObject({ changed: false });
  expect(compare(english, edited, emptyMemory()).verdict).toMatchObject({ changed: true });
});

test("a moment told in another way is no news, another date is", () => {
  expect(judge("<p>vor 8 Min.</p>", "<p>20:13 Uhr</p>").changed).toBe(false);
  expect(judge("<p>20:54 Uhr</p>", "<p>29.01.22</p>").changed).toBe(false);
  expect(judge("<p>29.01.22</p>", "<p>30.01.22</p>").changed).toBe(true);
  expect(judge("<p>Ends 20:54</p>", "<p>Ends 29.01.22</p>").changed).toBe(true);
});

test("what is counted in a sentence is said", () => {
  const storm = (number: number) =>
    `<p>The storm left ${number} people without a home, the mayor said on Monday.</p>`;
  expect(judge(storm(23), storm(25)).changed).toBe(true);
  expect(judge("<p>23 Kommentare</p>", "<p>25 Kommentare</p>").changed).toBe(false);
});

test("zones by name alone hide nothing", () => {
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

test("hidden text is told as hidden, and text that is hidden as gone", () => {
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
