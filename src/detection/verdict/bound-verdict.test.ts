import { expect, test } from "vitest";
import { compare } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import { boundVerdict } from "./bound-verdict.ts";
import type { Verdict } from "./verdict.ts";

const url = "https://www.example.test/";

test("the verdict on two one-line files of 2 MB is cut to a size that can be stored", () => {
  const line = (word: string) => snapshotOf(`${word} `.repeat(400_000), "text", url);
  const { verdict } = compare(line("one"), line("two"), emptyMemory());
  expect(JSON.stringify(verdict).length).toBeGreaterThan(3_000_000);
  const bounded = boundVerdict(verdict);
  expect(JSON.stringify(bounded).length).toBeLessThan(100_000);
  expect(bounded).toMatchObject({
    changed: true,
    severity: verdict.severity,
    similarity: verdict.similarity,
  });
  expect(bounded.reasons.map(({ count }) => count)).toEqual(verdict.reasons.map(({ count }) => count));
});

test("of 41,000 changes the first ones are kept and all are counted", () => {
  const changes = Array.from({ length: 41_000 }, (_, i) => ({
    where: "",
    before: null,
    after: `line ${i} ${"x".repeat(100)}`,
  }));
  const reason = {
    kind: "text" as const,
    severity: "notice" as const,
    summary: "Text",
    changes,
    count: 41_000,
  };
  const hunks = changes.map(({ after }, i) => ({ oldStart: 0, newStart: i, removed: [], added: [after] }));
  const bounded = boundVerdict({
    reasons: [reason],
    hunks,
    summary: "s",
    findings: [],
    regions: [],
    ignored: [],
  } as unknown as Verdict);
  expect(JSON.stringify(bounded).length).toBeLessThan(2_500_000);
  const [first] = bounded.reasons;
  expect([first?.count, first?.changes[0]?.after]).toEqual([41_000, changes[0]?.after]);
  expect(first?.changes.length).toBeLessThan(41_000);
});

test("a small verdict stays as it is", () => {
  const page = (text: string) => snapshotOf(`<main><p>${text}</p><p>Same</p></main>`, "html", url);
  const { verdict } = compare(page("One thing"), page("Another thing"), emptyMemory());
  expect(boundVerdict(verdict)).toEqual(verdict);
});
