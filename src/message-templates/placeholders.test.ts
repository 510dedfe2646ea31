import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { messagePlaceholders, otherPlaceholders, refusePlaceholders } from "./placeholders.ts";
import { fillTemplate } from "./template.ts";

const docs = readFileSync(new URL("../../docs/templates.md", import.meta.url), "utf8");

// The form and the refusal of unknown names show the same table.
test("docs/templates.md lists every placeholder as the form does", () => {
  const section = docs.split("<!-- placeholders -->")[1]?.split("<!-- end of placeholders -->")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  const shown = rows.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
  expect(shown).toEqual(
    Object.entries({ ...messagePlaceholders, ...otherPlaceholders }).map(([name, meaning]) => [
      `\`{{${name}}}\``,
      meaning,
    ]),
  );
});

test("dates are filled with the time of the check in the job's zone, in every target", () => {
  const values = {
    "execution.time": "2026-03-01T23:30:00Z",
    time: "2026-06-01T00:00:00Z",
    zone: "Asia/Tokyo",
  };
  expect(fillTemplate("on {{date:dd.MM.yyyy, -1 day}} at {{ date:HH:mm}}", values, "text")).toBe(
    "on 01.03.2026 at 08:30",
  );
  expect(fillTemplate('{"a": "{{date:yyyy}}", "b": {{date:MM}}}', values, "json")).toBe(
    '{"a": "2026", "b": "03"}',
  );
  expect(fillTemplate("/{{date:yyyy/MM}}", values, "url")).toBe("/2026%2F03");
  expect(fillTemplate("{{date:yyyy}}", { time: "2026-06-01T00:00:00Z" }, "text")).toBe("2026");
});

test("a date that can't be filled is refused in words, an unknown name by its name", () => {
  expect(refusePlaceholders("{{title}} {{date:yyyy-MM-dd, -2 weeks}} {{old.price}}")).toBeNull();
  expect(refusePlaceholders("{{date:next year}}")).toEqual({
    wrongDate: expect.stringMatching(/^\{\{date:next year\}\} has “next”/),
  });
  expect(refusePlaceholders("{{dates:yyyy}} {{nonsense}}")).toEqual({ unknown: "{{nonsense}}" });
});
