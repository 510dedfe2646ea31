import { describe, expect, test } from "vitest";
import { readIgnored, refuseCss, refuseRules } from "./rules.ts";

describe("an entry of ignore is", () => {
  test.for([
    [
      "elements",
      ".ad",
      "#top",
      "[hidden]",
      "nav a",
      "footer",
      "my-widget",
      "p:first-of-type, li",
      "xpath://p[1]",
    ],
    ["values", "jsonpath:$.updated", "jsonpath:$..items[?@.price > 3]"],
    ["pattern", "/\\d+ online/", "/updated .*/i", "/a.b/s"],
    [
      "line",
      "Sponsored",
      "12 online",
      "Last updated:",
      "Price: 5",
      '"time"',
      "“footer”",
      "/etc/passwd",
      "/month",
      "$.a",
    ],
  ])("%s", ([kind, ...entries]) => {
    for (const entry of entries) expect([entry, readIgnored(entry).kind]).toEqual([entry, kind]);
  });
});

describe("what cannot be understood is refused, with its place", () => {
  test.for<[field: "selector" | "ignore", text: string, reason: string]>([
    ["selector", "##[", "“##[” is not understood at character 1, “##[”: This is not a CSS selector."],
    ["selector", "p[", "“p[” is not understood at its end: This is not a CSS selector."],
    ["selector", "a >", "“a >” is not understood at its end: This is not a CSS selector."],
    [
      "selector",
      "div:foo(1)",
      "“div:foo(1)” is not understood at character 4, “:foo(1)”: This is not a CSS selector.",
    ],
    ["selector", "main\np[", "“main\np[” is not understood at its end: This is not a CSS selector."],
    [
      "selector",
      "//p",
      "“//p” is not understood at character 1, “//p”: An XPath expression begins with xpath:.",
    ],
    [
      "selector",
      "xpath://p[",
      "“xpath://p[” is not understood at character 10, “[”: This is not an XPath expression.",
    ],
    [
      "selector",
      "xpath://p[foo(.)]",
      "“xpath://p[foo(.)]” is not understood at character 11, “foo(.)]”: “foo” is not known to XPath.",
    ],
    [
      "selector",
      "jsonpath:$.a[",
      "“jsonpath:$.a[” is not understood at its end: This is not a JSONPath: unclosed bracketed selection.",
    ],
    ["ignore", "p[", "“p[” is not understood at its end: This is not a CSS selector; a text goes in quotes."],
    [
      "ignore",
      "#1 best",
      "“#1 best” is not understood at character 2, “1 best”: This is not a CSS selector; a text goes in quotes.",
    ],
    [
      "ignore",
      "/(a/",
      "“/(a/” is not understood at character 2, “(a/”: This is not a pattern: missing closing ).",
    ],
    [
      "ignore",
      "/x(?=y)/",
      "“/x(?=y)/” is not understood at character 3, “(?=y)/”: A pattern cannot look ahead or behind, nor refer back.",
    ],
    [
      "ignore",
      "/a/q",
      "“/a/q” is not understood at character 4, “q”: There is no flag “q”: there are i, m and s.",
    ],
    ["ignore", '"  "', '“"  "” is not understood at character 1, “"  "”: There is nothing in it.'],
  ])("%s %s", ([field, text, reason]) => {
    const refused = refuseRules(field === "selector" ? { selector: text } : { ignore: [".fine", text] });
    expect(refused).toEqual({ field: field === "selector" ? "selector" : "ignore.1", reason });
  });

  test("strings that are looked for, at their own field", () => {
    const strings = ["fine", "/also fine/i", "/[/"];
    expect(refuseRules({ lookup: { strings } })).toMatchObject({ field: "lookup.strings.2" });
    expect(refuseRules({ trigger: { strings } })).toMatchObject({ field: "trigger.strings.2" });
    expect(refuseRules({ selector: "  ", ignore: [], lookup: null })).toBeNull();
  });

  test("what is waited for is CSS", () => {
    expect([refuseCss(".prices"), refuseCss("xpath://p")?.slice(0, 12)]).toEqual([null, "“xpath://p” "]);
  });
});

test("expressions are nested as deeply as people write them, and no deeper", () => {
  const nested = (depth: number) => `xpath:${"(".repeat(depth)}//a${")".repeat(depth)}`;
  expect(refuseRules({ selector: nested(30), ignore: [nested(30)] })).toBeNull();
  for (const rule of [nested(31), `xpath:${"(".repeat(990)}`, `jsonpath:$[?${"(".repeat(900)}`])
    expect(refuseRules({ ignore: [rule] })).toMatchObject({
      field: "ignore.0",
      reason: expect.stringContaining("nested more than 30 levels deep"),
    });
});
