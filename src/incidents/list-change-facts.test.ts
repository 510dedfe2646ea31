import { expect, test } from "vitest";
import { listChangeFacts } from "./list-change-facts.ts";

type Verdict = Parameters<typeof listChangeFacts>[0];
type Reason = Verdict["reasons"][number];

const reason = (more: Partial<Reason> = {}): Reason => ({
  kind: "text",
  severity: "notice",
  summary: "1 line removed",
  changes: [{ where: "footer", before: "Careers", after: null }],
  count: 1,
  ...more,
});
const verdict = (more: Partial<Verdict> = {}): Verdict => ({
  severity: "notice",
  reasons: [reason()],
  findings: [],
  ...more,
});

test("the same words are the same facts wherever they are; another number is another fact", () => {
  const facts = listChangeFacts(verdict());
  expect(facts?.size).toBe(1);
  const elsewhere = reason({ changes: [{ where: "main", before: "Careers", after: null }] });
  expect(listChangeFacts(verdict({ reasons: [elsewhere] }))).toEqual(facts);
  const price = (after: string) => reason({ changes: [{ where: "", before: "10 €", after }] });
  expect(listChangeFacts(verdict({ reasons: [price("9 €")] }))).not.toEqual(
    listChangeFacts(verdict({ reasons: [price("8 €")] })),
  );
});

test("what only explains and what goes to the digest isn't part of the alert", () => {
  const more = [reason({ severity: "info" }), reason({ folded: true, changes: [] })];
  expect(listChangeFacts(verdict({ reasons: [reason(), ...more] }))).toEqual(listChangeFacts(verdict()));
});

test("the same text in rows with different names, and different met conditions, are different facts", () => {
  const sold = (row: string) => reason({ changes: [{ where: "", row, before: "In stock", after: "Sold" }] });
  expect(listChangeFacts(verdict({ reasons: [sold("Lamp")] }))).not.toEqual(
    listChangeFacts(verdict({ reasons: [sold("Chair")] })),
  );
  expect(listChangeFacts(verdict({ met: "price below 50" }))).not.toEqual(listChangeFacts(verdict()));
});

test.each<[string, Partial<Verdict>]>([
  ["a critical change", { severity: "critical" }],
  ["a finding of security", { findings: [{ kind: "form", severity: "notice", value: "/x", where: "" }] }],
  ["a page that lost much of its text", { partial: true }],
  ["a text that must not be there", { blocked: true }],
  ["a list that was cut", { reasons: [reason({ count: 2 })] }],
  ["a reason without a text", { reasons: [reason({ changes: [{ where: "", before: null, after: null }] })] }],
  ["a reason without changes", { reasons: [reason({ changes: [], count: 0 })] }],
  [
    "a text that was cut",
    { reasons: [reason({ changes: [{ where: "", before: null, after: "a".repeat(9_999) }] })] },
  ],
  ["no reason", { reasons: [] }],
])("is alerted for itself: %s", (_, more) => {
  expect(listChangeFacts(verdict(more))).toBeNull();
});
