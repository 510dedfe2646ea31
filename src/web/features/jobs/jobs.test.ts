import { expect, test } from "vitest";
import { fileName } from "./dialogs/export-dialog.tsx";
import { formatSimilarity } from "./executions.tsx";
import { searchJobs } from "./group-panel.tsx";
import { frequency } from "./job-head.tsx";
import { pickGroup } from "./jobs.tsx";
import type { Job } from "./queries.ts";
import { statusTone } from "./status-code.tsx";

test.each([
  [200, "green"],
  [299, "green"],
  [301, "yellow"],
  [404, "red"],
  [500, "gray"],
  [100, "gray"],
  [null, "gray"],
])("status %s is %s", (code, tone) => {
  expect(statusTone(code)).toBe(tone);
});

test("similarity is never rounded up to the whole", () => {
  expect([100, 99.99, 99.95, 0].map(formatSimilarity)).toEqual(["100 %", "99.9 %", "99.9 %", "0.0 %"]);
});

test.each([
  [1, "Every minute"],
  [20, "Every 20 minutes"],
  [60, "Every hour"],
  [90, "Every 90 minutes"],
  [1440, "Every day"],
  [43_200, "Every 30 days"],
])("%i minutes is %j", (minutes, words) => {
  expect(frequency(minutes)).toBe(words);
});

test("the search takes every word, in name or URL", () => {
  const jobs = [
    { name: "Acme scope", url: "https://acme.example/" },
    { name: "Other", url: "https://other.example/scope" },
  ] as Job[];
  expect(searchJobs(jobs, "SCOPE").length).toBe(2);
  expect(searchJobs(jobs, "scope acme")).toEqual([jobs[0]]);
  expect(searchJobs(jobs, " ")).toBe(jobs);
});

test("an address that names no group, or one that is gone, shows the first", () => {
  expect(pickGroup(["a", "b"], "b", false)).toBe("b");
  expect(pickGroup(["a", "b"], "gone", false)).toBe("a");
  expect(pickGroup(["a", "b"], undefined, true)).toBeUndefined();
  expect(pickGroup(undefined, "b", false)).toBeUndefined();
});

test("a job's name becomes a file's name on any system", () => {
  expect(["Acme: scope/page?", "../..", "測試 1"].map(fileName)).toEqual([
    "Acme-scope-page",
    "job",
    "測試-1",
  ]);
});
