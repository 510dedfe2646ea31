import { expect, test } from "vitest";
import type { Reason, Verdict } from "#detection/verdict/verdict.ts";
import { redactVerdict } from "./share-comparison.ts";

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

test("V6 headers and cookies are left out of a shared verdict and its summary", () => {
  const redacted = redactVerdict(
    verdict(
      [reason("header", "important", "Header x-token is new"), reason("text", "notice", "1 line added")],
      [
        { kind: "weaker-header", severity: "notice", value: "x-token", where: "response" },
        { kind: "email", severity: "notice", value: "a@b.example", where: "line 1" },
      ],
    ),
  );
  expect(redacted).toMatchObject({ changed: true, severity: "notice", summary: "1 line added" });
  expect(redacted.findings.map(({ kind }) => kind)).toEqual(["email"]);
  expect(JSON.stringify(redacted)).not.toContain("x-token");
});

test("V6 a change of headers or cookies alone is shared as no change", () => {
  const redacted = redactVerdict(verdict([reason("cookie", "critical", "Cookie sid is weaker")]));
  expect(redacted).toMatchObject({
    changed: false,
    severity: "info",
    summary: "No visible change",
    reasons: [],
  });
});

test("a verdict without headers or cookies is shared unchanged", () => {
  const original = verdict([reason("script", "critical", "New script host x.example")]);
  expect(redactVerdict(original)).toMatchObject({ severity: "critical", summary: original.summary });
});
