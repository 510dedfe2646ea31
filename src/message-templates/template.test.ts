import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alert } from "#channels/testing/alerts.ts";
import { fillWebhook, refuseWebhook } from "#channels/webhook-template.ts";
import { bodyTypeOf } from "#contract/body-type.ts";
import { alertValues } from "./alert-values.ts";
import { fillMessage, refuseMessage } from "./message-template.ts";
import { alertPlaceholders, placeholders } from "./placeholders.ts";
import { fillTemplate, sampleValues, type TemplateValues } from "./template.ts";
import { refuseTrigger } from "./trigger-template.ts";

const withSummary = (summary: string): TemplateValues => ({ ...sampleValues, summary });

describe("B7 a JSON body", () => {
  test("a placeholder inside a string is escaped, and elsewhere it becomes a JSON value", () => {
    const body = `{"a": "x {{ summary }} y", "n": {{similarity}}, "s": {{status.before}}, "f": {{findings}}, "t": {{summary}}}`;
    const values = { ...withSummary('"},"evil":"\n'), "status.before": null };
    expect(JSON.parse(fillTemplate(body, values, "json"))).toEqual({
      a: 'x "},"evil":"\n y',
      n: 97.5,
      s: null,
      f: sampleValues.findings,
      t: '"},"evil":"\n',
    });
  });

  test("findings in a string are one line each", () => {
    expect(fillTemplate('"{{findings}}"', sampleValues, "json")).toBe('"endpoint: /api/v2/users (line 12)"');
  });

  test("a value that looks like a placeholder is not filled again", () => {
    expect(fillTemplate('"{{summary}}"', withSummary("{{link}}"), "json")).toBe('"{{link}}"');
  });

  test("an escaped quote does not end the string", () => {
    const body = '{"a": "\\"{{summary}}\\\\", "b": {{summary}}}';
    expect(JSON.parse(fillTemplate(body, withSummary('"'), "json"))).toEqual({ a: '""\\', b: '"' });
  });

  test("no page text can break out of its string", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 30 }), (units) => {
        const summary = String.fromCharCode(...units);
        expect(JSON.parse(fillTemplate('{"a": "<{{summary}}>"}', withSummary(summary), "json"))).toEqual({
          a: `<${summary}>`,
        });
      }),
    );
  });
});

test("a backslash before a placeholder does not let its value end the string", () => {
  const body = '{"a": "\\\\{{summary}}", "b": "\\{{summary}}"}';
  expect(fillTemplate(body, withSummary('"'), "json")).toBe('{"a": "\\\\\\"", "b": "\\{{summary}}"}');
});

describe("other bodies", () => {
  const evil = `</a><b c="d" e='f'>&x]]>`;

  test("values can't add an element, attribute or entity to XML and HTML", () => {
    expect(fillTemplate("<a t='{{summary}}'>{{ summary }}</a>", withSummary(evil), "xml")).toMatch(
      /^<a t='[^<>"']*'>[^<>"']*<\/a>$/,
    );
  });

  test("values can't make XML unreadable by a character that it doesn't allow", () => {
    expect(fillTemplate("<a>{{summary}}</a>", withSummary("1\u0000\u001b\ud83d2"), "xml")).toBe(
      "<a>1\ufffd\ufffd\ufffd2</a>",
    );
  });

  test("values can't add a field to a form", () => {
    const form = fillTemplate(" a={{summary}}&b={{similarity}}\n", withSummary("1&c=2+3\uD83D"), "form");
    expect([...new URLSearchParams(form)]).toEqual([
      ["a", "1&c=2+3\uFFFD"],
      ["b", "97.5"],
    ]);
  });

  test("a text body contains values unchanged", () => {
    expect(fillTemplate("<{{summary}}> {{findings}}", withSummary(evil), "text")).toBe(
      `<${evil}> endpoint: /api/v2/users (line 12)`,
    );
  });

  test.each([
    ["application/json", "json"],
    ["application/vnd.github+json", "json"],
    ["text/xml; charset=utf-8", "xml"],
    ["application/soap+xml", "xml"],
    ["text/html", "xml"],
    ["application/x-www-form-urlencoded", "form"],
    ["text/plain", "text"],
  ])("%s is filled as %s", (value, target) => {
    expect(bodyTypeOf([{ name: "Content-Type", value }])).toBe(target);
  });
});

describe("B7 a URL", () => {
  test("values can't add a path segment or a parameter", () => {
    const url = fillTemplate(
      "https://h.example/a/{{summary}}/b?q={{summary}}#{{job.id}}",
      withSummary("x/../y?a=1&b=2#é"),
      "url",
    );
    const parsed = new URL(url);
    expect(parsed.pathname).toBe("/a/x%2F..%2Fy%3Fa%3D1%26b%3D2%23%C3%A9/b");
    expect([...parsed.searchParams]).toEqual([["q", "x/../y?a=1&b=2#é"]]);
  });

  test.each([".", ".."])("a value of %j does not lead to another path", (dots) => {
    expect(
      new URL(fillTemplate("https://h.example/a/b/{{summary}}/c", withSummary(dots), "url")).pathname,
    ).toBe("/a/b/-/c");
  });

  test("a lone surrogate doesn't throw an error", () => {
    expect(fillTemplate("https://h.example/{{summary}}", withSummary("\uD83D"), "url")).toBe(
      "https://h.example/%EF%BF%BD",
    );
  });
});

test.each([
  ["json", `["{{added}}"${',"{{added}}"'.repeat(6_000)}${",{{added}}".repeat(500)}]`],
  ["xml", "<a>{{added}}</a>".repeat(4_000)],
  ["form", `a=${"{{added}}".repeat(7_000)}`],
  ["text", "{{added}}".repeat(7_000)],
] as const)(
  "a template of %s that repeats its placeholders is filled to a limited size",
  (target, template) => {
    const filled = fillTemplate(template, { ...sampleValues, added: '"<&'.repeat(1_300) }, target);
    expect(filled.length).toBeGreaterThan(900_000);
    expect(filled.length).toBeLessThan(1_100_000);
    // What is left out leaves valid JSON.
    expect(target === "json" ? JSON.parse(filled).at(-1) : null).toBeNull();
  },
);

describe("placeholders in triggers, messages and webhooks", () => {
  const names = [...Object.keys(placeholders), "value.price", "old.price"];
  const values: TemplateValues = { ...sampleValues, value: { price: 59.9 }, old: { price: 64 } };
  const shopAlert = alert({ values: { "job.group": "Lamps", value: { price: 59.9, "<b>": 1 } } });

  test("a followed value is filled in everywhere", () => {
    expect(fillTemplate('{"price": {{value.price}}, "text": "{{value.price}} €"}', values, "json")).toBe(
      '{"price": 59.9, "text": "59.9 €"}',
    );
    expect(fillTemplate("https://h.example/{{value.price}}", values, "url")).toBe("https://h.example/59.9");
    expect(
      fillMessage(
        { title: "{{value.price}} €", text: "**{{value.price}}** in {{job.group}}" },
        shopAlert,
        100,
      ),
    ).toEqual({
      title: "59.9 €",
      lines: [[{ text: "59.9", look: "bold" }, { text: " in " }, { text: "Lamps" }]],
    });
    const template = '{"price": {{value.price}}, "old": {{value.old}}}';
    expect(fillWebhook({ template }, alertValues(shopAlert))).toBe('{"price": 59.9, "old": null}');
  });

  test.each(["words", "diff", "text", "diff.full", "patch", "snapshot"])(
    "B7 a message that repeats {{%s}} is not filled beyond what any channel sends",
    (name) => {
      const long = "a b\n".repeat(4_000);
      const page = { "diff.full": long, patch: long, snapshot: long };
      const lines = Array.from({ length: 400 }, (_, n) => ({
        sign: "+" as const,
        text: `Line ${n} ${"x".repeat(90)}`,
      }));
      const text = `{{${name}}}`.repeat(4_000 / (name.length + 4));
      const filled = fillMessage({ title: "", text }, alert({ lines, values: page }), Infinity);
      const length = filled.lines.reduce(
        (sum, line) => sum + 1 + line.reduce((all, run) => all + run.text.length, 0),
        0,
      );
      expect(filled.lines.length).toBeGreaterThan(10);
      expect(length).toBeLessThan(101_000);
    },
  );

  test.each(names)("{{%s}} is accepted and has a value", (name) => {
    const placeholder = `{{${name}}}`;
    const json = `{"a": ${placeholder}, "b": "${placeholder}"}`;
    expect(refuseTrigger({ url: `https://h.example/${placeholder}`, body: json })).toBeNull();
    expect(refuseMessage({ title: placeholder, text: placeholder })).toBeNull();
    expect(refuseWebhook({ template: json })).toBeNull();
    expect(fillTemplate(placeholder, values, "text")).not.toMatch(/^$|\{\{/);
  });

  test.each([
    "nonsense",
    "constructor",
    "__proto__",
    "value",
    "value.",
    "value.a.b",
    "value.constructor",
    "old",
    "old.__proto__",
    "value.__proto__",
    "value.toString",
  ])("{{%s}} is refused with a list of the known names", (name) => {
    const placeholder = `{{${name}}}`;
    for (const reason of [
      refuseTrigger({ url: "https://h.example/", body: `"${placeholder}"` })?.reason,
      refuseTrigger({ url: `https://h.example/${placeholder}`, body: "" })?.reason,
      refuseMessage({ title: placeholder, text: "" })?.reason,
      refuseMessage({ title: "", text: placeholder })?.reason,
      refuseWebhook({ template: placeholder, format: "text" }),
    ]) {
      expect(reason).toContain(placeholder);
      for (const known of Object.keys(placeholders)) expect(reason).toMatch(new RegExp(`[ ,]${known}[,.]`));
      expect(reason).toMatch(/, value\. or old\. with the name of a followed value, and dates such as/);
    }
    for (const target of ["json", "xml", "form", "url", "text"] as const)
      expect(fillTemplate(placeholder, values, target)).toBe(placeholder);
  });

  test("a webhook without a template sends all fields of an alert and nothing else", () => {
    expect(Object.keys(JSON.parse(fillWebhook({}, alertValues(shopAlert))))).toEqual(alertPlaceholders);
    expect([...new URLSearchParams(fillWebhook({ format: "form" }, alertValues(shopAlert))).keys()]).toEqual(
      alertPlaceholders,
    );
  });
});
