import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Placeholder, placeholders, triggerPresets } from "#contract/placeholders.ts";
import {
  cut,
  fillJson,
  fillUrl,
  type PlaceholderValues,
  refuseTrigger,
  samples,
} from "./fill-placeholders.ts";

const withSummary = (summary: string): PlaceholderValues => ({ ...samples, summary });

describe("B7 a JSON body", () => {
  test("a placeholder in a string is escaped for it, elsewhere it is a value", () => {
    const body = `{"a": "x {{ summary }} y", "n": {{similarity}}, "s": {{status.before}}, "f": {{findings}}, "t": {{summary}}}`;
    const values = { ...withSummary('"},"evil":"\n'), "status.before": null };
    expect(JSON.parse(fillJson(body, values))).toEqual({
      a: 'x "},"evil":"\n y',
      n: 97.5,
      s: null,
      f: samples.findings,
      t: '"},"evil":"\n',
    });
  });

  test("findings in a string are one line each", () => {
    expect(fillJson('"{{findings}}"', samples)).toBe('"endpoint: /api/v2/users (line 12)"');
  });

  test("a value that looks like a placeholder is not filled again", () => {
    expect(fillJson('"{{summary}}"', withSummary("{{link}}"))).toBe('"{{link}}"');
  });

  test("an escaped quote does not end the string", () => {
    const body = '{"a": "\\"{{summary}}\\\\", "b": {{summary}}}';
    expect(JSON.parse(fillJson(body, withSummary('"')))).toEqual({ a: '""\\', b: '"' });
  });

  test("no page text whatever breaks out of its string", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 30 }), (units) => {
        const summary = String.fromCharCode(...units);
        expect(JSON.parse(fillJson('{"a": "<{{summary}}>"}', withSummary(summary)))).toEqual({
          a: `<${summary}>`,
        });
      }),
    );
  });
});

describe("B7 a URL", () => {
  test("values add neither a segment nor a parameter", () => {
    const url = fillUrl(
      "https://h.example/a/{{summary}}/b?q={{summary}}#{{job.id}}",
      withSummary("x/../y?a=1&b=2#é"),
    );
    const parsed = new URL(url);
    expect(parsed.pathname).toBe("/a/x%2F..%2Fy%3Fa%3D1%26b%3D2%23%C3%A9/b");
    expect([...parsed.searchParams]).toEqual([["q", "x/../y?a=1&b=2#é"]]);
  });

  test.each([".", ".."])("a value of %j does not lead to another path", (dots) => {
    expect(new URL(fillUrl("https://h.example/a/b/{{summary}}/c", withSummary(dots))).pathname).toBe(
      "/a/b/-/c",
    );
  });

  test("half a character does not throw", () => {
    expect(fillUrl("https://h.example/{{summary}}", withSummary("\uD83D"))).toBe(
      "https://h.example/%EF%BF%BD",
    );
  });
});

describe("what is refused when saved", () => {
  const url = "https://hooks.example/x";
  test.each([
    ["an empty body", url, ""],
    ["a constant", url, '{"a": 1}'],
    [
      "every placeholder, in a string",
      url,
      JSON.stringify(Object.keys(placeholders).map((name) => `{{${name}}}`)),
    ],
    [
      "every placeholder, as a value",
      url,
      `[${Object.keys(placeholders)
        .map((name) => `{{${name}}}`)
        .join()}]`,
    ],
    ["placeholders in path and query", `${url}/{{job.id}}?s={{summary}}`, ""],
  ])("accepts %s", (_, address, body) => {
    expect(refuseTrigger({ url: address, body })).toBeNull();
  });

  test.each(triggerPresets.map((preset) => [preset.name, preset] as const))(
    "accepts the %s preset",
    (_, preset) => {
      expect(refuseTrigger(preset)).toBeNull();
      expect(
        Object.keys(placeholders).some((name) => preset.body.includes(`{{${name as Placeholder}}}`)),
      ).toBe(true);
    },
  );

  test.each([
    [url, "{'a': 1}", "The trigger's body is not JSON once its placeholders are filled in."],
    [url, "hello {{summary}}", "The trigger's body is not JSON once its placeholders are filled in."],
    [url, '{"a": x{{summary}}}', "The trigger's body is not JSON once its placeholders are filled in."],
    [url, `"${"x".repeat(64 * 1024)}"`, "The trigger's body is larger than 64 KiB."],
    [url, `"${"é".repeat(33 * 1024)}"`, "The trigger's body is larger than 64 KiB."],
    ["https://{{job.name}}.example/", "", "The trigger's host may not contain a placeholder."],
    ["https://h.example:{{similarity}}/", "", "The trigger's host may not contain a placeholder."],
  ])("%s %.20s", (address, body, sentence) => {
    expect(refuseTrigger({ url: address, body })).toEqual({ field: body ? "body" : "url", reason: sentence });
  });

  test("an unknown placeholder is named", () => {
    expect(refuseTrigger({ url, body: '{"a": "{{constructor}}"}' })?.reason).toMatch(
      /^The trigger's body has \{\{constructor\}\}, which stands for nothing\. Known are: event\.id, job\.id, /,
    );
    for (const name of ["value.constructor", "value.__proto__", "value.toString", "value.", "value.a.b"])
      expect(refuseTrigger({ url, body: `{"a": "{{${name}}}"}` })?.reason).toContain(
        `has {{${name}}}, which stands for nothing`,
      );
    expect(refuseTrigger({ url, body: '{"a": "{{value.price}}"}' })).toBeNull();
    expect(refuseTrigger({ url: `${url}?{{job.password}}`, body: "" })?.reason).toMatch(
      /^The trigger's URL has \{\{job\.password\}\}/,
    );
  });
});

test("a cut never halves a character", () => {
  expect(cut("a😀b", 4)).toBe("a😀b");
  expect(cut("a😀bc", 3)).toBe("a…");
  expect(cut("a😀bc", 4)).toBe("a😀…");
});
