import { expect, test } from "vitest";
import type { Reason, Verdict } from "#detection/verdict.ts";
import { forStrangers } from "./share-comparison.ts";

const reason = (kind: Reason["kind"], severity: Reason["severity"], summary: string): Reason => ({
  kind,
  severity,
  summary,
  changes: [],
  count: 1,
});

function verdict(reasons: Reason[], findings: Verdict["findings"] = []): Verdict {
  const [first] = reasons;
  return {
    changed: true,
    folded: false,
    often: [],
    similarity: 90,
    severity: first?.severity ?? "info",
    summary: `${first?.summary}; 1 more`,
    reasons,
    findings,
    hunks: [],
    regions: [],
    ignored: [],
    ignoredCount: 0,
  };
}

test("V6 headers and cookies are left out, and the summary does not tell of them", () => {
  const shown = forStrangers(
    verdict(
      [reason("header", "important", "Header x-token is new"), reason("text", "notice", "1 line added")],
      [
        { kind: "weaker-header", severity: "notice", value: "x-token", where: "response" },
        { kind: "email", severity: "notice", value: "a@b.example", where: "line 1" },
      ],
    ),
  );
  expect(shown).toMatchObject({ changed: true, severity: "notice", summary: "1 line added" });
  expect(shown.findings.map(({ kind }) => kind)).toEqual(["email"]);
  expect(JSON.stringify(shown)).not.toContain("x-token");
});

test("V6 a change of headers alone is no change to a stranger", () => {
  const shown = forStrangers(verdict([reason("cookie", "critical", "Cookie sid is weaker")]));
  expect(shown).toMatchObject({
    changed: false,
    severity: "info",
    summary: "No visible change",
    reasons: [],
  });
});

test("what has no headers in it is told as it was", () => {
  const told = verdict([reason("script", "critical", "New script host x.example")]);
  expect(forStrangers(told)).toMatchObject({ severity: "critical", summary: told.summary });
});
