import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openReportFolder } from "./report-folder.ts";

test("each run gets its own folder, and only the reports of the last twenty runs are kept", () => {
  const parent = mkdtempSync(join(tmpdir(), "watchglass-reports-"));
  for (let minute = 10; minute < 35; minute++) mkdirSync(join(parent, `2026-01-01T00-${minute}-00`));
  const folder = openReportFolder(parent, new Date("2026-01-02T03:04:05Z"));
  expect(folder).toBe(join(parent, "2026-01-02T03-04-05"));
  const folders = readdirSync(parent).toSorted();
  expect(folders).toHaveLength(20);
  expect([folders[0], folders.at(-1)]).toEqual(["2026-01-01T00-16-00", "2026-01-02T03-04-05"]);
  rmSync(parent, { recursive: true });
});
