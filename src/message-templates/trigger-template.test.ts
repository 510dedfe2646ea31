import { describe, expect, test } from "vitest";
import { triggerPresets } from "#triggers/presets.ts";
import { type Placeholder, placeholders } from "./placeholders.ts";
import { refuseTrigger } from "./trigger-template.ts";

describe("validation of a trigger before it is saved", () => {
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
  ])("refuses %s with the body %.20s", (address, body, reason) => {
    expect(refuseTrigger({ url: address, body })).toEqual({ field: body ? "body" : "url", reason });
  });

  test("the error for an unknown placeholder names it", () => {
    expect(refuseTrigger({ url, body: '{"a": "{{constructor}}"}' })?.reason).toMatch(
      /^The trigger's body has \{\{constructor\}\}, which isn’t a known placeholder\. Known are: event\.id, job\.id, /,
    );
    for (const name of ["value.constructor", "value.__proto__", "value.toString", "value.", "value.a.b"])
      expect(refuseTrigger({ url, body: `{"a": "{{${name}}}"}` })?.reason).toContain(
        `has {{${name}}}, which isn’t a known placeholder`,
      );
    expect(refuseTrigger({ url, body: '{"a": "{{value.price}}"}' })).toBeNull();
    expect(refuseTrigger({ url: `${url}?{{job.password}}`, body: "" })?.reason).toMatch(
      /^The trigger's URL has \{\{job\.password\}\}/,
    );
  });
});
