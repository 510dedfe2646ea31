import { describe, expect, test } from "vitest";
import type { Verdict } from "../verdict/verdict.ts";
import { addLookups, findLookups, holdsOneOf } from "./lookup.ts";

const page = (html: string, ...texts: string[]) => ({
  html,
  text: texts.map((text) => ({ role: "paragraph" as const, area: "main", text })),
});
const appears = (...strings: string[]) => ({ strings, when: "appears" as const });
const disappears = (...strings: string[]) => ({ strings, when: "disappears" as const });

describe("findLookups", () => {
  const before = page("<p>Sold out</p><!-- admin -->", "Sold out");
  const after = page("<p>In stock: 3</p>", "Shop", "In\n  stock: 3 left");

  test("finds a string that appeared in the visible text, with its line", () => {
    expect(findLookups(before, after, appears("in stock"))).toEqual([
      { string: "in stock", where: "visible text", line: "In stock: 3 left" },
    ]);
  });
  test("finds strings that disappeared from the visible text or only from the HTML", () => {
    expect(findLookups(before, after, disappears("SOLD OUT", "<!-- admin"))).toEqual([
      { string: "SOLD OUT", where: "visible text", line: "Sold out" },
      { string: "<!-- admin", where: "HTML", line: "<p>Sold out</p><!-- admin -->" },
    ]);
  });
  test("ignores a string that both captures contain, or neither", () => {
    expect(findLookups(after, after, appears("in stock"))).toEqual([]);
    expect(findLookups(after, after, disappears("in stock"))).toEqual([]);
    expect(findLookups(before, after, appears("sold out", "nowhere", "  "))).toEqual([]);
    expect(findLookups(before, after, disappears("in stock", "nowhere"))).toEqual([]);
  });
  test("finds a string that was only in the HTML and becomes visible", () => {
    const hidden = page("<template>Login</template>");
    expect(findLookups(hidden, page("<p>Login</p>", "Login"), appears("login"))).toEqual([
      { string: "login", where: "visible text", line: "Login" },
    ]);
  });
  test("finds a string despite soft hyphens, zero-width characters and other forms of an accent", () => {
    const shy = page("", "In\u00adstock at the cafe\u0301\u200b today");
    for (const wanted of ["instock", "caf\u00e9 today", "In\u200bstock", "cafe\u0301"]) {
      expect(findLookups(page("", "Sold out"), shy, appears(wanted))).toHaveLength(1);
    }
  });
  test("finds no string across two blocks", () => {
    expect(findLookups(page(""), page("", "one", "two"), appears("one two"))).toEqual([]);
  });
  test("cuts a long line around the string", () => {
    const html = `${"a".repeat(500)}NEEDLE${"b".repeat(500)}`;
    const [match] = findLookups(page(""), page(html), appears("needle"));
    expect(match?.line).toBe(`…${"a".repeat(120)}NEEDLE${"b".repeat(120)}…`);
  });
  test("returns the right line even if letters become longer in lower case", () => {
    const [match] = findLookups(page(""), page("", "İİİİ needle here"), appears("needle"));
    expect(match?.line).toBe("i̇i̇i̇i̇ needle here");
  });
});

test("holdsOneOf needs one of the strings, and is always true for an empty list", () => {
  const shown = page("<b data-x='key'>Hello</b>", "Hello World");
  expect(holdsOneOf(shown, [])).toBe(true);
  expect(holdsOneOf(shown, ["nothing", "hello world"])).toBe(true);
  expect(holdsOneOf(shown, ["DATA-X='KEY'"])).toBe(true);
  expect(holdsOneOf(shown, ["nothing", " "])).toBe(false);
});

describe("addLookups", () => {
  const unchanged: Verdict = {
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

  test("returns the verdict unchanged without a match", () => {
    expect(addLookups(unchanged, [], "appears")).toBe(unchanged);
  });
  test("makes the verdict a change by the string alone", () => {
    const verdict = addLookups(unchanged, [match, { ...match, string: "Root" }], "appears");
    expect(verdict).toMatchObject({
      changed: true,
      severity: "important",
      summary: '"Admin" and 1 more appeared in the HTML',
      reasons: [
        { kind: "lookup", count: 2, changes: [{ where: "HTML", before: null, after: "<!-- Admin -->" }, {}] },
      ],
    });
  });
  test("puts the string before other changes in the summary and keeps the higher severity", () => {
    const critical: Verdict = {
      ...unchanged,
      changed: true,
      severity: "critical",
      summary: "Status 200 → 500",
    };
    const verdict = addLookups(critical, [match], "disappears");
    expect([verdict.severity, verdict.summary]).toEqual([
      "critical",
      '"Admin" disappeared from the HTML; Status 200 → 500',
    ]);
    expect(verdict.reasons[0]?.changes).toMatchObject([
      { where: "HTML", before: "<!-- Admin -->", after: null },
    ]);
  });
});
