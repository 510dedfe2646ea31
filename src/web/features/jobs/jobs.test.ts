import { expect, test } from "vitest";
import { formatSimilarity } from "#web/ui/format-similarity.ts";
import { statusTone } from "./execution-list/status-code.tsx";
import { fileName } from "./export/export-dialog.tsx";
import { frequency } from "./job-head.tsx";
import { searchJobs } from "./job-list/group-panel.tsx";
import { pickGroup } from "./jobs.tsx";
import type { Job } from "./queries.ts";

test.each([
  [200, "green"],
  [299, "green"],
  [301, "yellow"],
  [404, "red"],
  [500, "gray"],
  [100, "gray"],
  [null, "gray"],
])("status %s has the color %s", (code, tone) => {
  expect(statusTone(code)).toBe(tone);
});

test("a similarity below 100 % is never rounded up to 100%", () => {
  expect([100, 99.99, 99.95, 0].map(formatSimilarity)).toEqual(["100%", "99.9%", "99.9%", "0.0%"]);
});

test.each([
  [1, "Every minute"],
  [20, "Every 20 minutes"],
  [60, "Every hour"],
  [90, "Every 90 minutes"],
  [1440, "Every day"],
  [43_200, "Every 30 days"],
])("a frequency of %i minutes is shown as %j", (minutes, words) => {
  expect(frequency(minutes)).toBe(words);
});

test("the search requires every word, in name or URL", () => {
  const jobs = [
    { name: "Acme scope", url: "https://acme.example/" },
    { name: "Other", url: "https://other.example/scope" },
  ] as Job[];
  expect(searchJobs(jobs, "SCOPE").length).toBe(2);
  expect(searchJobs(jobs, "scope acme")).toEqual([jobs[0]]);
  expect(searchJobs(jobs, " ")).toBe(jobs);
});

test("a URL without a group, or with a deleted one, shows the first group", () => {
  expect(pickGroup(["a", "b"], "b", false)).toBe("b");
  expect(pickGroup(["a", "b"], "gone", false)).toBe("a");
  expect(pickGroup(["a", "b"], undefined, true)).toBeUndefined();
  expect(pickGroup(undefined, "b", false)).toBeUndefined();
});

test("a job's name becomes a file name that is valid on any system", () => {
  expect(["Acme: scope/page?", "../..", "測試 1"].map(fileName)).toEqual([
    "Acme-scope-page",
    "job",
    "測試-1",
  ]);
});
