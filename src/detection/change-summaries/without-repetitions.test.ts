import { expect, test } from "vitest";
import { compare } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";

const page = (main: string, head = "<title>Lamps</title>") =>
  snapshotOf(
    `<head>${head}</head><main><h1>Lamps</h1><p>All our lamps are made of oak.</p>${main}</main>`,
    "html",
    "https://shop.example/",
  );
const headline = (before: string, after: string, heads: string[] = []) =>
  compare(page(before, heads[0]), page(after, heads[1]), emptyMemory()).verdict.summary;

test("a number with its currency is one word", () => {
  expect(headline("<p>Fjell now for € 45.40 only</p>", "<p>Fjell now for € 40.90 only</p>")).toBe(
    "“Fjell now for” € 45.40 → € 40.90",
  );
  expect(headline("<p>Fee 2,5 % of the sum</p>", "<p>Fee 3,0 % of the sum</p>")).toBe("“Fee” 2,5 % → 3,0 %");
});

test("a short value is named by its row, or else by the heading of its section", () => {
  const table = (price: string) =>
    `<table><tr><td>Fjell</td><td>${price}</td></tr><tr><td>Strand</td><td>€ 9.00</td></tr></table>`;
  expect(headline(table("€ 45.40"), table("€ 40.90"))).toBe("Fjell: € 45.40 → € 40.90");
  const section = (state: string) =>
    `<h2>Fjell lamp</h2><p>Oak and brass, made to order in Bergen.</p><p>${state}</p>`;
  expect(headline(section("In stock"), section("Sold out"))).toBe("Fjell lamp: “In stock” → “Sold out”");
});

test("what no reader sees isn't counted in a headline that has something else to say", () => {
  const data = (price: number) =>
    `<title>Lamps</title><script type="application/ld+json">{"@type":"Offer","price":${price}}</script>`;
  expect(
    headline("<p>Fjell now for € 45.40 only</p>", "<p>Fjell now for € 40.90 only</p>", [
      data(45.4),
      data(40.9),
    ]),
  ).toBe("“Fjell now for” € 45.40 → € 40.90");
  expect(headline("", "", [data(45.4), data(40.9)])).toBe("price of Offer is now 40.9, was 45.4");
});

test("a title that says the same as the text isn't repeated", () => {
  expect(
    headline("<h2>Harbour open</h2>", "<h2>Harbour closed</h2>", [
      "<title>Harbour open</title>",
      "<title>Harbour closed</title>",
    ]),
  ).toBe("“Harbour” open → closed");
});

test("the first change that says something is named, the same one elsewhere isn't counted again", () => {
  const terms = (date: string, fee: string, note: string) =>
    `<p>Last updated: ${date}</p><p>The fee is ${fee} for each guest.</p><p>Ask at the desk.</p><p>${note}</p>`;
  expect(headline(terms("4 May 2026", "€ 40", "Open"), terms("11 May 2026", "€ 55", "Closed"))).toBe(
    "“The fee is” € 40 → € 55; “Open” → “Closed”; “Last updated:” 4 May → 11 May",
  );
  const twice = (fee: string) => `<p>The fee is ${fee}.</p><p>Ask at the desk.</p><p>The fee is ${fee}.</p>`;
  expect(headline(twice("€ 40"), twice("€ 55"))).toBe("“The fee is” € 40 → € 55");
  expect(headline(terms("4 May 2026", "€ 40", "Open"), terms("11 May 2026", "€ 40", "Open"))).toBe(
    "“Last updated:” 4 May → 11 May",
  );
});

test("a day belongs to its month", () => {
  expect(headline("<p>Valid from May 4 on</p>", "<p>Valid from May 11 on</p>")).toBe(
    "“Valid from” May 4 → May 11",
  );
});

test("the mark of a list and quotation marks of a text aren't quoted", () => {
  expect(headline("", "<p>• Fjell is sold out</p>")).toBe("“Fjell is sold out” added");
  expect(headline("", "<p>“Fjell is back”</p>")).toBe("“Fjell is back” added");
});

test("the main content comes before the header, and links are named as long as they fit", () => {
  const whole = (entry: string, note: string, href: string) =>
    snapshotOf(
      `<header><p>${entry}</p></header><main><h1>Lamps</h1><p>All our lamps are made of oak.</p><p>${note}</p><a href="${href}">Terms</a> <a href="${href}">Prices</a></main>`,
      "html",
      "https://shop.example/",
    );
  const { summary } = compare(
    whole("Orders that reach us before five leave the same day.", "Open", "/1"),
    whole("Orders that reach us before six leave the same day.", "Closed", "/2"),
    emptyMemory(),
  ).verdict;
  expect(summary).toBe(
    "Link “Terms” leads elsewhere; Link “Prices” leads elsewhere; “Open” → “Closed”; 1 more change",
  );
});
