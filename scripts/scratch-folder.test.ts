import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openScratchFolder } from "./scratch-folder.ts";

const plenty = 64e9;

test("the folder in memory can be used by every user, as /tmp can", () => {
  const parent = mkdtempSync(join(tmpdir(), "scratch-"));
  const folder = openScratchFolder(parent, plenty);
  expect(readdirSync(parent).map((name) => join(parent, name))).toEqual([folder]);
  expect(statSync(folder ?? "").mode & 0o7777).toBe(0o1777);
  rmSync(parent, { recursive: true });
});

test("with little memory, or where the system has no folder in memory, the disk is used", () => {
  const parent = mkdtempSync(join(tmpdir(), "scratch-"));
  expect(openScratchFolder(parent, 4e9)).toBeUndefined();
  expect(readdirSync(parent)).toEqual([]);
  rmSync(parent, { recursive: true });
  expect(existsSync(parent)).toBe(false);
  expect(openScratchFolder(parent, plenty)).toBeUndefined();
});
