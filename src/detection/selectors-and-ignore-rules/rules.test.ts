import { describe, expect, test } from "vitest";
import { parseIgnoreRule, refuseBlanketRules, validateCss, validateRules } from "./rules.ts";
import type { TextStep } from "./step-kinds.ts";

describe("parseIgnoreRule", () => {
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
  ])("recognizes rules of the kind: %s", ([kind, ...entries]) => {
    for (const entry of entries) expect([entry, parseIgnoreRule(entry).kind]).toEqual([entry, kind]);
  });
});

describe("validateRules refuses a rule that it can't parse and says where the error is", () => {
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
      "“/x(?=y)/” is not understood at character 3, “(?=y)/”: A pattern can’t look ahead or behind, or refer back.",
    ],
    ["ignore", "/a/q", "“/a/q” is not understood at character 4, “q”: Unknown flag “q”: use i, m or s."],
    ["ignore", '"  "', '“"  "” is not understood at character 1, “"  "”: It is empty.'],
  ])("%s %s", ([field, text, reason]) => {
    const refused = validateRules(field === "selector" ? { selector: text } : { ignore: [".fine", text] });
    expect(refused).toEqual({ field: field === "selector" ? "selector" : "ignore.1", reason });
  });

  test("invalid lookup and trigger strings are refused under their own field", () => {
    const strings = ["fine", "/also fine/i", "/[/"];
    expect(validateRules({ lookup: { strings } })).toMatchObject({ field: "lookup.strings.2" });
    expect(validateRules({ trigger: { strings } })).toMatchObject({ field: "trigger.strings.2" });
    expect(validateRules({ selector: "  ", ignore: [], lookup: null })).toBeNull();
  });

  test("the element to wait for must be a CSS selector", () => {
    expect([validateCss(".prices"), validateCss("xpath://p")?.slice(0, 12)]).toEqual([null, "“xpath://p” "]);
  });
});

test.for<[entry: string, reason: string | null]>([
  ["/.+/s", "“/.+/s” matches everything, so no change would ever be reported."],
  ["/[\\s\\S]+/", "“/[\\s\\S]+/” matches everything, so no change would ever be reported."],
  ["/^.+$/m", "“/^.+$/m” matches everything, so no change would ever be reported."],
  ["/\\w+|\\W+/", "“/\\w+|\\W+/” matches everything, so no change would ever be reported."],
  ["/\\d*/", "“/\\d*/” also matches where there is nothing: say what must be there."],
  ["/(sold)?/", "“/(sold)?/” also matches where there is nothing: say what must be there."],
  ["/.*/", "“/.*/” also matches where there is nothing: say what must be there."],
  ["/Updated .*/", null],
  ["/\\d+/", null],
  ["/[a-z]+/i", null],
  ["views", null],
  ["/etc/passwd", null],
])("a pattern that ignores everything says nothing about a page: %s", ([entry, reason]) => {
  expect(refuseBlanketRules([".ad", entry])).toEqual(reason && { field: "ignore.1", reason });
});

test.for(["/.+/gsx", "/(in|out)/abc", "/x/dsy", "/x+/I", "/x+/iU"])(
  "%s isn't silently taken for a text",
  (entry) => {
    expect(validateRules({ ignore: [entry] })).toMatchObject({ field: "ignore.0" });
  },
);

test.for<[step: Partial<TextStep>, reason: string]>([
  [{ do: "keep", text: " " }, "Enter a text or a /pattern/."],
  [{ do: "capture", text: "price" }, "Write the pattern between slashes"],
  [{ do: "capture", text: "/(/" }, "This is not a pattern"],
  [{ do: "first", text: "some" }, "Enter a number of lines"],
  [{ do: "last", text: "0" }, "Enter a number of lines"],
  [{ do: "replace", text: "" }, "Enter a text or a /pattern/."],
])("the step %j is refused", ([step, reason]) => {
  const steps = [
    { do: "sort" as const, text: "", to: "" },
    { do: "keep" as const, text: "", to: "", ...step },
  ];
  expect(validateRules({ steps })).toMatchObject({
    field: "steps.1.text",
    reason: expect.stringContaining(reason),
  });
});

test.for([".a[", ".a)", 'select(.a == "x)', "jq"])(
  "brackets and quotes of jq must be closed: %s",
  (program) => {
    const isBroken = program !== "jq";
    const refused = validateRules({ selector: `jq:${program}` });
    expect(refused === null).toBe(!isBroken);
    expect(validateRules({ ignore: ["jq:.a"] })).toMatchObject({ field: "ignore.0" });
  },
);

test("expressions nested more than 30 levels deep are refused", () => {
  const nested = (depth: number) => `xpath:${"(".repeat(depth)}//a${")".repeat(depth)}`;
  expect(validateRules({ selector: nested(30), ignore: [nested(30)] })).toBeNull();
  for (const rule of [nested(31), `xpath:${"(".repeat(990)}`, `jsonpath:$[?${"(".repeat(900)}`])
    expect(validateRules({ ignore: [rule] })).toMatchObject({
      field: "ignore.0",
      reason: expect.stringContaining("nested more than 30 levels deep"),
    });
});
