import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ZipEntry, zip } from "./write-zip.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "watchglass-zip-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function pack(entries: ZipEntry[]): Promise<string> {
  const parts: Uint8Array[] = [];
  async function* each() {
    yield* entries;
  }
  for await (const part of zip(each())) parts.push(part);
  const file = join(folder, "a.zip");
  writeFileSync(file, Buffer.concat(parts));
  return file;
}

/** The entries as Python's own ZIP reader sees them; it checks every checksum. */
function read(file: string): [name: string, text: string, date: number[]][] {
  const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps([[i.filename, z.read(i).decode()[:50], list(i.date_time)] for i in z.infolist()]))`;
  return JSON.parse(execFileSync("python3", ["-c", script, file]).toString());
}

const modified = new Date("2026-11-15T14:02:31Z");
const entry = (name: string, text: string, compress: boolean): ZipEntry => ({
  name,
  bytes: Buffer.from(text),
  modified,
  compress,
});

test("a ZIP holds stored, compressed and empty entries, and names in any script", async () => {
  const date = [2026, 11, 15, 14, 2, 30];
  expect(
    read(
      await pack([
        entry("a.txt", "hello", false),
        entry("b/ć語.txt", "x".repeat(99), true),
        entry("c", "", true),
      ]),
    ),
  ).toEqual([
    ["a.txt", "hello", date],
    ["b/ć語.txt", "x".repeat(50), date],
    ["c", "", date],
  ]);
});

test("a ZIP without entries is valid", async () => {
  expect(read(await pack([]))).toEqual([]);
});

test("a ZIP can hold more entries than the old format can count", async () => {
  const file = await pack(Array.from({ length: 65_600 }, (_, i) => entry(String(i), "", false)));
  const count = execFileSync("python3", [
    "-c",
    "import sys, zipfile; print(len(zipfile.ZipFile(sys.argv[1]).infolist()))",
    file,
  ]);
  expect(Number(count)).toBe(65_600);
}, 60_000);
