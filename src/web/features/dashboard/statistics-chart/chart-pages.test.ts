import { expect, test } from "vitest";
import { chartPages } from "./chart-pages.ts";

const row = (job_name: string, executions: number) => ({ job_name, logs: 0, executions, errors: 0 });

test("no jobs give no pages, and one job gives one page", () => {
  expect(chartPages([])).toEqual([]);
  expect(chartPages([row("a", 1)])).toEqual([[{ ...row("a", 1), rank: 1 }]]);
});

test("400 jobs are split into pages of twelve, each job once, the busiest first", () => {
  const pages = chartPages(Array.from({ length: 400 }, (_, i) => row(`job ${i}`, i)));
  expect(pages).toHaveLength(34);
  expect(pages.slice(0, -1).every((page) => page.length === 12)).toBe(true);
  expect(pages.flat().map((entry) => entry.rank)).toEqual(Array.from({ length: 400 }, (_, i) => i + 1));
  expect(pages[0]?.[0]?.job_name).toBe("job 399");
  expect(new Set(pages.flat().map((entry) => entry.job_name)).size).toBe(400);
});

test("jobs with the same name stay separate", () => {
  expect(
    chartPages([row("same", 2), row("same", 1)])
      .flat()
      .map((entry) => entry.rank),
  ).toEqual([1, 2]);
});

test("equally busy jobs are sorted by name, with numbers in numeric order", () => {
  const rows = ["Job 10", "Job 2", "Job 1"].map((job_name) => ({
    job_name,
    logs: 1,
    executions: 1,
    errors: 0,
  }));
  expect(chartPages(rows)[0]?.map(({ job_name }) => job_name)).toEqual(["Job 1", "Job 2", "Job 10"]);
});
