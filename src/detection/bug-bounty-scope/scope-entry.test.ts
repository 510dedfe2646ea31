import { expect, test } from "vitest";
import { compare } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import type { ContentKind } from "../snapshot/snapshot.ts";

const severityOf = (before: string, after: string, kind: ContentKind = "html") => {
  const capture = (content: string) => snapshotOf(content, kind, "https://pay.example/security");
  return compare(capture(before), capture(after), emptyMemory()).verdict.severity;
};
const list = (heading: string, ...items: string[]) =>
  `<main><h1>Bounty</h1><p>Thank you for reporting what you find to our team first.</p><h2>${heading}</h2><ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul></main>`;

test("a new scope entry is important, on a page, in JSON and in a list of hosts", () => {
  const before = list("In scope", "www.pay.example");
  expect(severityOf(before, list("In scope", "www.pay.example", "*.api.pay.example"))).toBe("important");
  expect(severityOf(before, list("In scope", "www.pay.example", "https://id.pay.example/login"))).toBe(
    "important",
  );
  const json = (...hosts: string[]) =>
    JSON.stringify({ targets: { in_scope: hosts.map((target) => ({ target, bounty: true })) }, since: 2019 });
  expect(
    severityOf(json("a.example", "b.example"), json("a.example", "b.example", "c.example"), "json"),
  ).toBe("important");
  const hosts = ["a.example", "b.example", "*.c.example"];
  expect(severityOf(hosts.join("\n"), [...hosts, "d.example"].join("\n"), "text")).toBe("important");
});

test("a removed entry, an out-of-scope entry and text that is no host name are a notice", () => {
  const oneEntry = list("In scope", "www.pay.example");
  const twoEntries = list("In scope", "www.pay.example", "id.pay.example");
  expect(severityOf(twoEntries, oneEntry)).toBe("notice");
  expect(severityOf(oneEntry, list("In scope", "www.pay.example", "We answer within a week."))).toBe(
    "notice",
  );
  const outOfScope = (...items: string[]) => list("Out of scope", "blog.pay.example", ...items);
  expect(severityOf(outOfScope(), outOfScope("shop.pay.example"))).toBe("notice");
});
