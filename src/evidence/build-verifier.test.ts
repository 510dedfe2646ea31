import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildVerifier } from "./build-verifier.ts";

// src/server/routes/evidence.db.test.ts compares the results of the built file with those of its modules.

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "watchglass-verifier-"));
  writeFileSync(join(folder, "verify.mjs"), buildVerifier());
  writeFileSync(join(folder, "note.txt"), "no export");
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  return { status, stdout, stderr };
};

test("the verifier is one file that needs nothing but Node", () => {
  const lines = buildVerifier().split("\n");
  expect(lines[0]).toBe("// Checks an export of Watchglass: node verify.mjs FILE [--head HASH] [--key HASH]");
  const imports = lines.filter((line) => /^\s*import\b|\bimport\(|^\s*export\b.*\bfrom\b/.test(line));
  expect(imports.length).toBeGreaterThan(3);
  expect(imports.filter((line) => !/^import \{ [\w, ]+ \} from "node:\w+";$/.test(line))).toEqual([]);
});

test("the built file is valid and runs by itself", () => {
  expect(run("--check", "verify.mjs")).toEqual({ status: 0, stdout: "", stderr: "" });
  expect(run("verify.mjs")).toMatchObject({
    status: 2,
    stdout: expect.stringContaining("Usage: node verify.mjs"),
  });
  expect(run("verify.mjs", "note.txt")).toMatchObject({
    status: 2,
    stdout: "This file cannot be checked. It is not a ZIP or WACZ file.\n",
  });
});

test("the verifier is built only once", () => {
  expect(buildVerifier()).toBe(buildVerifier());
});
