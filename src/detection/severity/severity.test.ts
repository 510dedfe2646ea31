import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeAtLeast, highestSeverity, isAtLeast, isDecisive, isMild, severities } from "./severity.ts";

const rated = severities.map((severity) => ({ severity }));

test("only severities above info make a change, and only a notice is mild", () => {
  expect(rated.filter(isDecisive).map(({ severity }) => severity)).toEqual([
    "notice",
    "important",
    "critical",
  ]);
  expect(rated.filter(isMild).map(({ severity }) => severity)).toEqual(["notice"]);
});

test("the highest severity counts, in any order", () => {
  expect(highestSeverity([])).toBe("info");
  expect(highestSeverity([{ severity: "important" }, { severity: "notice" }])).toBe("important");
  expect(highestSeverity(rated)).toBe("critical");
});

test("a minimum severity includes itself, and no severity is above critical", () => {
  expect(severities.filter((severity) => isAtLeast(severity, "important"))).toEqual([
    "important",
    "critical",
  ]);
  expect(describeAtLeast("notice")).toBe("notice or higher");
  expect(describeAtLeast("critical")).toBe("critical");
});

test("no other file of detection names a severity", () => {
  const folder = join(import.meta.dirname, "..");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      /(?<!\.test)\.ts$/.test(file) && file !== "severity/severity.ts" && !file.startsWith("testing/"),
  );
  expect(files.length).toBeGreaterThan(100);
  const literal = new RegExp(`"(?:${severities.join("|")})"`);
  expect(files.filter((file) => literal.test(readFileSync(join(folder, file), "utf8")))).toEqual([]);
});
