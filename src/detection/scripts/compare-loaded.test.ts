import { expect, test } from "vitest";
import { compare, learnFromConfirmation } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

const url = "https://www.house.test/";
const html = `<main><h1>House rules</h1><p>Guests lock the door when they leave.</p></main>`;

function captureWith(scripts: Record<string, string>, hosts: string[] = []): Snapshot {
  const inventory = Object.entries(scripts).map(([src, sha256]) => ({ src, sha256 }));
  return { ...snapshotOf(html, "html", url), via: "browser", scripts: inventory, thirdPartyHosts: hosts };
}

function reasonsOf(before: Snapshot, after: Snapshot, memory = emptyMemory()) {
  return compare(before, after, memory).verdict.reasons.map(({ severity, summary }) => [severity, summary]);
}

const ownScript = `${url}app.js`;
const partnerScript = "https://widgets.partner.example/kit.js";
const vendorScript = "https://www.googletagmanager.com/gtag/js?id=G-1";

test("changed contents of a script at the same address are reported, those of a third party as important", () => {
  expect(reasonsOf(captureWith({ [ownScript]: "a1" }), captureWith({ [ownScript]: "b2" }))).toEqual([
    ["notice", "Script contents changed: https://www.house.test/app.js"],
  ]);
  expect(reasonsOf(captureWith({ [partnerScript]: "a1" }), captureWith({ [partnerScript]: "b2" }))).toEqual([
    ["important", "Script contents changed: https://widgets.partner.example/kit.js"],
  ]);
});

test("no changed contents are reported for a new address, unknown contents, known services or plain HTTP", () => {
  expect(
    reasonsOf(captureWith({ [`${ownScript}?v=1`]: "a1" }), captureWith({ [`${ownScript}?v=2`]: "b2" })),
  ).toEqual([]);
  expect(reasonsOf(captureWith({ [ownScript]: "" }), captureWith({ [ownScript]: "b2" }))).toEqual([]);
  expect(reasonsOf(captureWith({ [vendorScript]: "a1" }), captureWith({ [vendorScript]: "b2" }))).toEqual([]);
  expect(
    reasonsOf({ ...captureWith({ [ownScript]: "a1" }), via: "http" }, captureWith({ [ownScript]: "b2" })),
  ).toEqual([]);
});

test("script contents that differ per visitor are learned; those that keep changing go to the digest", () => {
  const learned = learnFromConfirmation(
    captureWith({ [ownScript]: "a1" }),
    captureWith({ [ownScript]: "a2" }),
    emptyMemory(),
  );
  expect(reasonsOf(captureWith({ [ownScript]: "a1" }), captureWith({ [ownScript]: "a3" }), learned)).toEqual(
    [],
  );
  let memory = emptyMemory();
  const marks = ["a1", "a2", "a3", "a4", "a5"].map((hash, at, all) => {
    const result = compare(
      captureWith({ [ownScript]: all[at - 1] ?? hash }),
      captureWith({ [ownScript]: hash }),
      memory,
    );
    memory = result.memory;
    return result.verdict.folded ? "f" : result.verdict.changed ? "!" : ".";
  });
  expect(marks.join("")).toBe(".!!ff");
});

test("a confirmation with the same contents confirms the change", () => {
  const [before, after] = [captureWith({ [ownScript]: "a1" }), captureWith({ [ownScript]: "b2" })];
  const memory = learnFromConfirmation(after, after, learnFromConfirmation(before, before, emptyMemory()));
  expect(reasonsOf(before, after, memory)).toHaveLength(1);
});

test("a script that another script loaded counts as a script", () => {
  expect(
    reasonsOf(captureWith({}), captureWith({ [partnerScript]: "a1" }, ["widgets.partner.example"])),
  ).toEqual([["critical", "New script host widgets.partner.example"]]);
});

test("a new third-party host is reported, unless it is a known service or joins many others", () => {
  expect(
    reasonsOf(captureWith({}), captureWith({}, ["drop.evil.example", "www.google-analytics.com"])),
  ).toEqual([["notice", "Page now talks to drop.evil.example"]]);
  const manyHosts = Array.from({ length: 30 }, (_, at) => `bid.exchange-${at}.example`);
  expect(
    compare(captureWith({}, manyHosts), captureWith({}, [...manyHosts, "x.bidder.example"]), emptyMemory())
      .verdict.changed,
  ).toBe(false);
});

test("a third-party host that only one of two captures contacts is noise", () => {
  const [withoutHost, withHost] = [captureWith({}), captureWith({}, ["bid.exchange.example"])];
  const memory = learnFromConfirmation(
    withoutHost,
    withHost,
    learnFromConfirmation(withoutHost, withoutHost, emptyMemory()),
  );
  expect(reasonsOf(withoutHost, withHost, memory)).toEqual([]);
});
