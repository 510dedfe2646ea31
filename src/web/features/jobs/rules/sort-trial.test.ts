import { expect, test } from "vitest";
import type { Said, TrialRow } from "#contract/trial.ts";
import { sortTrial } from "./sort-trial.ts";

const said = (state: Said["state"], severity: Said["severity"] = null): Said => ({
  state,
  severity,
  summary: "",
});
let index = 0;
const row = (was: Said, now: Said): TrialRow => ({
  id: "",
  index: ++index,
  createdAt: "",
  fromId: null,
  was,
  now,
  about: [],
});

test("what would be lost comes first, the gravest before the newest", () => {
  const parts = sortTrial([
    row(said("alert", "notice"), said("alert", "notice")),
    row(said("alert", "notice"), said("quiet")),
    row(said("alert", "critical"), said("quiet")),
    row(said("alert", "notice"), said("quiet")),
    row(said("quiet"), said("alert", "important")),
    row(said("quiet"), said("failed")),
    row(said("failed"), said("failed")),
  ]);
  expect(parts.map(({ title, rows }) => [title, ...rows.map((one) => one.index)])).toEqual([
    ["Silenced", 3, 4, 2],
    ["Not seen any more", 6],
    ["New", 5],
    ["Told as before", 1],
  ]);
});
