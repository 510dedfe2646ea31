import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { runCompare } from "./compare.ts";

const folder = mkdtempSync(join(tmpdir(), "watchglass-compare-"));
afterAll(() => rmSync(folder, { recursive: true }));

function put(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

async function run(...args: string[]): Promise<{ code: number; out: string[]; error: string[] }> {
  const out: string[] = [];
  const error: string[] = [];
  const code = await runCompare(
    args,
    (line) => out.push(line),
    (line) => error.push(line),
  );
  return { code, out, error };
}

async function verdictOf(...args: string[]): Promise<Verdict> {
  return JSON.parse((await run(...args)).out.join("\n")) as Verdict;
}

async function linesOf(...args: string[]): Promise<unknown[]> {
  return (await run(...args)).out.map((line) => JSON.parse(line) as unknown);
}

const page = (text: string): string =>
  `<!doctype html><title>T</title><main><h1>Offer</h1><p>${text}</p></main>`;

test("compare prints the verdict on two files", async () => {
  const old = put("a/old.html", page("It costs 10 dollars."));
  const now = put("a/new.html", page("It costs 12 dollars."));
  expect(await verdictOf(old, now)).toMatchObject({ changed: true });
  expect(await verdictOf(old, old)).toMatchObject({
    changed: false,
    similarity: 100,
    reasons: [],
    findings: [],
  });
  expect((await verdictOf(put("a/o.json", '{"a":1,"b":2}'), put("a/n.json", '{"b":2,"a":1}'))).changed).toBe(
    false,
  );
  expect(await verdictOf(put("a/o.txt", "one"), put("a/n.txt", "two"))).toMatchObject({
    changed: true,
    summary: "“one” → “two”",
  });
});

test("compare prints the regions in which two pictures differ", async () => {
  const strip = (height: number, background: string) => ({
    create: { width: 64, height, channels: 3 as const, background },
  });
  const old = await sharp(strip(200, "white"))
    .composite([{ input: strip(50, "teal"), top: 60, left: 0 }])
    .png()
    .toBuffer();
  const now = await sharp(old).extend({ top: 100, background: "navy" }).png().toBuffer();
  expect((await verdictOf(put("p/old.png", old), put("p/new.png", now))).regions).toEqual([
    { kind: "added", old: null, new: { x: 0, y: 0, width: 64, height: 100 } },
  ]);
  expect(
    await verdictOf(
      put("p/same.png", await sharp(old).png({ compressionLevel: 9 }).toBuffer()),
      join(folder, "p/old.png"),
    ),
  ).toMatchObject({
    changed: false,
    similarity: 100,
  });
});

test("compare stores what it learned in the memory file", async () => {
  const memory = join(folder, "memory.json");
  const version = (n: number): string => put(`m/${n}.json`, `{"region":"eu-${n}","x":1}`);
  for (let n = 1; n < 5; n++) await run(version(n), version(n + 1), "--memory", memory);
  expect(JSON.parse(readFileSync(memory, "utf8"))).toMatchObject({ captures: 4, checks: 4 });
  expect(await verdictOf(version(5), version(6), "--memory", memory)).toMatchObject({
    changed: true,
    folded: false,
    often: [{ place: "value region", times: 5, folded: false, isNew: false }],
  });
  expect(await verdictOf(version(5), version(6))).toMatchObject({ changed: true, often: [] });
});

test("compare --pairs prints one line per pair", async () => {
  put("pairs/one/old.html", page("a"));
  put("pairs/one/new.html", page("a"));
  put("pairs/two/old.json", "[1]");
  put("pairs/two/new.json", "[2]");
  expect(await linesOf("--pairs", join(folder, "pairs"))).toMatchObject([
    { pair: "one", changed: false, summary: "No change", reasons: [] },
    {
      pair: "two",
      changed: true,
      summary: "[0]: 1 → 2",
      reasons: [{ kind: "content", severity: "notice" }],
    },
  ]);
});

test("compare --history prints one line per step, versions in numeric order, for one folder or many", async () => {
  for (const [n, text] of ["a", "a", "b"].entries()) put(`histories/x/${n + 8}.txt`, text);
  put("histories/y/0.txt", "a");
  put("histories/y/1.txt", "a");
  const expected = [
    { history: "x", step: 1, changed: false, folded: false, summary: "No change", often: [] },
    { history: "x", step: 2, changed: true, folded: false, summary: "“a” → “b”", often: [] },
  ];
  expect(await linesOf("--history", join(folder, "histories", "x"))).toEqual(expected);
  expect(await linesOf("--history", join(folder, "histories"))).toEqual([
    ...expected,
    { history: "y", step: 1, changed: false, folded: false, summary: "No change", often: [] },
  ]);
});

test("compare reports a mistake of the caller in one sentence", async () => {
  const old = put("e/old.txt", "x");
  expect(await run(old, join(folder, "missing"))).toEqual({
    code: 1,
    out: [],
    error: [`${join(folder, "missing")} cannot be read.`],
  });
  expect((await run(old)).error).toEqual([
    "Say OLD NEW [--memory FILE], --pairs DIR, --history DIR or --content DIR.",
  ]);
  expect(await run("--pairs", join(folder, "missing"))).toMatchObject({ code: 1, out: [] });
  expect(await run(put("e/a.png", "\x89PNG broken"), put("e/b.png", "\x89PNG too"))).toMatchObject({
    code: 1,
    error: ["One of the pictures cannot be decoded."],
  });
  expect(await run(old, old, "--memory", put("e/bad.json", "{"))).toMatchObject({ code: 1, out: [] });
});
