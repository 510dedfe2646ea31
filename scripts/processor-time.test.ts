import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readProcessorTime, stolenBetween } from "./processor-time.ts";

test("the share of processor time that others took is read from the system's counters", () => {
  const folder = mkdtempSync(join(tmpdir(), "stat-"));
  const file = join(folder, "stat");
  const read = (ticks: string) => {
    writeFileSync(file, `cpu  ${ticks}\ncpu0 1 1 1 1 1 1 1 1 0 0\nintr 5\n`);
    return readProcessorTime(file);
  };
  const before = read("100 20 30 400 10 0 5 7 50 0");
  expect(before).toEqual({ stolen: 7, all: 572 });
  expect(stolenBetween(before, read("140 20 50 410 10 0 5 37 90 0"))).toBe(0.3);
  expect(readProcessorTime(join(folder, "none"))).toEqual({ stolen: 0, all: 0 });
  expect(stolenBetween(before, before)).toBe(0);
  rmSync(folder, { recursive: true });
});
