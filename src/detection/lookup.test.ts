import { describe, expect, test } from "vitest";
import { findLookups, holdsOneOf, withLookups } from "./lookup.ts";
import type { Verdict } from "./verdict.ts";

const page = (html: string, ...texts: string[]) => ({
  html,
  text: texts.map((text) => ({ role: "paragraph" as const, area: "main", text })),
});
const appears = (...strings: string[]) => ({ strings, when: "appears" as const });
const disappears = (...strings: string[]) => ({ strings, when: "disappears" as const });

describe("what is found", () => {
  const before = page("<p>Sold out</p><!-- admin -->", "Sold out");
  const after = page("<p>In stock: 3</p>", "Shop", "In\n  stock: 3 left");

  test("a string that came into the visible text, with its line", () => {
    expect(findLookups(before, after, appears("in stock"))).toEqual([
      { string: "in stock", where: "visible text", line: "In stock: 3 left" },
    ]);
  });
  test("a string that went, and one that went from the HTML alone", () => {
    expect(findLookups(before, after, disappears("SOLD OUT", "<!-- admin"))).toEqual([
      { string: "SOLD OUT", where: "visible text", line: "Sold out" },
      { string: "<!-- admin", where: "HTML", line: "<p>Sold out</p><!-- admin -->" },
    ]);
  });
  test("what stands on both sides, or on neither, is no news", () => {
    expect(findLookups(after, after, appears("in stock"))).toEqual([]);
    expect(findLookups(after, after, disappears("in stock"))).toEqual([]);
    expect(findLookups(before, after, appears("sold out", "nowhere", "  "))).toEqual([]);
    expect(findLookups(before, after, disappears("in stock", "nowhere"))).toEqual([]);
  });
  test("a string that was in the HTML already appears when it comes into sight", () => {
    const hidden = page("<template>Login</template>");
    expect(findLookups(hidden, page("<p>Login</p>", "Login"), appears("login"))).toEqual([
      { string: "login", where: "visible text", line: "Login" },
    ]);
  });
  test("soft hyphens, zero-width characters and ways to write an accent hide no string", () => {
    const shy = page("", "In\u00adstock at the cafe\u0301\u200b today");
    for (const wanted of ["instock", "caf\u00e9 today", "In\u200bstock", "cafe\u0301"]) {
      expect(findLookups(page("", "Sold out"), shy, appears(wanted))).toHaveLength(1);
    }
  });
  test("no string is found across two blocks", () => {
    expect(findLookups(page(""), page("", "one", "two"), appears("one two"))).toEqual([]);
  });
  test("a long line is cut around the string", () => {
    const html = `${"a".repeat(500)}NEEDLE${"b".repeat(500)}`;
    const [match] = findLookups(page(""), page(html), appears("needle"));
    expect(match?.line).toBe(`…${"a".repeat(120)}NEEDLE${"b".repeat(120)}…`);
  });
  test("letters whose lower case is longer do not shift the line", () => {
    const [match] = findLookups(page(""), page("", "İİİİ needle here"), appears("needle"));
    expect(match?.line).toBe("i̇i̇i̇i̇ needle here");
  });
});

test("strings of a trigger: one of them is enough, none means always", () => {
  const shown = page("<b data-x='key'>Hello</b>", "Hello World");
  expect(holdsOneOf(shown, [])).toBe(true);
  expect(holdsOneOf(shown, ["nothing", "hello world"])).toBe(true);
  expect(holdsOneOf(shown, ["DATA-X='KEY'"])).toBe(true);
  expect(holdsOneOf(shown, ["nothing", " "])).toBe(false);
});

describe("the verdict", () => {
  const quiet: Verdict = {
    changed: false,
    folded: false,
    often: [],
    similarity: 100,
    severity: "info",
    summary: "No change",
    reasons: [],
    findings: [],
    hunks: [],
    regions: [],
    ignored: [],
    ignoredCount: 0,
  };
  const match = { string: "Admin", where: "HTML" as const, line: "<!-- Admin -->" };

  test("stays as it is without a match", () => {
    expect(withLookups(quiet, [], "appears")).toBe(quiet);
  });
  test("becomes a change by the string alone", () => {
    const told = withLookups(quiet, [match, { ...match, string: "Root" }], "appears");
    expect(told).toMatchObject({
      changed: true,
      severity: "important",
      summary: '"Admin" and 1 more appeared in the HTML',
      reasons: [
        { kind: "lookup", count: 2, changes: [{ where: "HTML", before: null, after: "<!-- Admin -->" }, {}] },
      ],
    });
  });
  test("puts the string in front of what else changed and keeps the graver severity", () => {
    const grave: Verdict = { ...quiet, changed: true, severity: "critical", summary: "Status 200 → 500" };
    const told = withLookups(grave, [match], "disappears");
    expect([told.severity, told.summary]).toEqual([
      "critical",
      '"Admin" disappeared from the HTML; Status 200 → 500',
    ]);
    expect(told.reasons[0]?.changes).toMatchObject([
      { where: "HTML", before: "<!-- Admin -->", after: null },
    ]);
  });
});
