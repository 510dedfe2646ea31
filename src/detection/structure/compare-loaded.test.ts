import { expect, test } from "vitest";
import { compare, learnTwin } from "../compare.ts";
import { emptyMemory } from "../noise-memory.ts";
import type { Snapshot } from "../snapshot.ts";
import { snapshotOf } from "../snapshot-of.ts";

const url = "https://www.house.test/";
const html = `<main><h1>House rules</h1><p>Guests lock the door when they leave.</p></main>`;

function taken(scripts: Record<string, string>, hosts: string[] = []): Snapshot {
  const inventory = Object.entries(scripts).map(([src, sha256]) => ({ src, sha256 }));
  return { ...snapshotOf(html, "html", url), via: "browser", scripts: inventory, thirdPartyHosts: hosts };
}

function news(before: Snapshot, after: Snapshot, memory = emptyMemory()) {
  return compare(before, after, memory).verdict.reasons.map(({ severity, summary }) => [severity, summary]);
}

const own = `${url}app.js`;
const partner = "https://widgets.partner.example/kit.js";
const vendor = "https://www.googletagmanager.com/gtag/js?id=G-1";

test("the same address with other contents is told, a stranger's louder", () => {
  expect(news(taken({ [own]: "a1" }), taken({ [own]: "b2" }))).toEqual([
    ["notice", "Script contents changed: https://www.house.test/app.js"],
  ]);
  expect(news(taken({ [partner]: "a1" }), taken({ [partner]: "b2" }))).toEqual([
    ["important", "Script contents changed: https://widgets.partner.example/kit.js"],
  ]);
});

test("another address, unknown contents and services that everyone loads say nothing", () => {
  expect(news(taken({ [`${own}?v=1`]: "a1" }), taken({ [`${own}?v=2`]: "b2" }))).toEqual([]);
  expect(news(taken({ [own]: "" }), taken({ [own]: "b2" }))).toEqual([]);
  expect(news(taken({ [vendor]: "a1" }), taken({ [vendor]: "b2" }))).toEqual([]);
  expect(news({ ...taken({ [own]: "a1" }), via: "http" }, taken({ [own]: "b2" }))).toEqual([]);
});

test("contents written anew for each visitor are learned from twins; else they are told, and fold when they keep changing", () => {
  const twin = learnTwin(taken({ [own]: "a1" }), taken({ [own]: "a2" }), emptyMemory());
  expect(news(taken({ [own]: "a1" }), taken({ [own]: "a3" }), twin)).toEqual([]);
  let memory = emptyMemory();
  const marks = ["a1", "a2", "a3", "a4", "a5"].map((hash, at, all) => {
    const result = compare(taken({ [own]: all[at - 1] ?? hash }), taken({ [own]: hash }), memory);
    memory = result.memory;
    return result.verdict.folded ? "f" : result.verdict.changed ? "!" : ".";
  });
  expect(marks.join("")).toBe(".!!ff");
});

test("a second look confirms changed contents", () => {
  const [before, after] = [taken({ [own]: "a1" }), taken({ [own]: "b2" })];
  const memory = learnTwin(after, after, learnTwin(before, before, emptyMemory()));
  expect(news(before, after, memory)).toHaveLength(1);
});

test("a script that another script fetched is a script", () => {
  expect(news(taken({}), taken({ [partner]: "a1" }, ["widgets.partner.example"]))).toEqual([
    ["critical", "New script host widgets.partner.example"],
  ]);
});

test("a stranger the page talks to is told, unless it is a service everyone knows", () => {
  expect(news(taken({}), taken({}, ["drop.evil.example", "www.google-analytics.com"]))).toEqual([
    ["notice", "Page now talks to drop.evil.example"],
  ]);
  const crowd = Array.from({ length: 30 }, (_, at) => `bid.exchange-${at}.example`);
  expect(
    compare(taken({}, crowd), taken({}, [...crowd, "x.bidder.example"]), emptyMemory()).verdict.changed,
  ).toBe(false);
});

test("strangers that only one of two captures talks to are noise", () => {
  const [quiet, loud] = [taken({}), taken({}, ["bid.exchange.example"])];
  const memory = learnTwin(quiet, loud, learnTwin(quiet, quiet, emptyMemory()));
  expect(news(quiet, loud, memory)).toEqual([]);
});
