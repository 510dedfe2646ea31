// `npm run --silent compare -- OLD NEW [--memory FILE]` prints how NEW compares with OLD, as JSON.
// `--pairs DIR`: DIR/*/old.* and new.*, one line per pair. `--history DIR`: numbered versions, one line per step.
// `--content DIR`: DIR/*/page.html, one line per page with its main content and its boilerplate as text.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { splitContent } from "#detection/boilerplate/split-content.ts";
import { compare } from "#detection/compare.ts";
import { detectContentKind } from "#detection/file-formats/detect-content-kind.ts";
import { emptyMemory, type NoiseMemory } from "#detection/noise-memory/noise-memory.ts";
import { compareImage, type Image } from "#detection/picture-comparison/compare-image.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import type { Snapshot } from "#detection/snapshot/snapshot.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";

/** A mistake of the caller, as one sentence. */
class UsageError extends Error {}

const usage = "Say OLD NEW [--memory FILE], --pairs DIR, --history DIR or --content DIR.";

type Print = (line: string) => void;

/** Runs the command; a mistake of the caller prints one sentence and exits with 1. */
export async function runCompare(args: string[], print: Print, complain: Print): Promise<number> {
  try {
    await main(args, print);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(error.message);
    return 1;
  }
}

async function main(args: string[], print: Print): Promise<void> {
  const { values, positionals } = readArguments(args);
  if (values.pairs !== undefined) await comparePairs(values.pairs, print);
  else if (values.history !== undefined) await compareHistories(values.history, print);
  else if (values.content !== undefined) splitPages(values.content, print);
  else {
    const [old, now, ...rest] = positionals;
    if (old === undefined || now === undefined || rest.length > 0) throw new UsageError(usage);
    await compareFiles(old, now, values.memory, print);
  }
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        memory: { type: "string" },
        pairs: { type: "string" },
        history: { type: "string" },
        content: { type: "string" },
      },
    });
  } catch {
    throw new UsageError(usage);
  }
}

async function compareFiles(
  old: string,
  now: string,
  memoryFile: string | undefined,
  print: Print,
): Promise<void> {
  const memory = memoryFile === undefined ? emptyMemory() : readMemory(memoryFile);
  const result = await judge(readSnapshot(old), readSnapshot(now), memory);
  if (memoryFile !== undefined) writeFileSync(memoryFile, JSON.stringify(result.memory));
  print(JSON.stringify(result.verdict, null, 2));
}

async function comparePairs(folder: string, print: Print): Promise<void> {
  for (const pair of foldersIn(folder)) {
    const old = findFile(join(folder, pair), "old");
    const now = findFile(join(folder, pair), "new");
    if (old === undefined || now === undefined) {
      throw new UsageError(`${join(folder, pair)} holds no old.* and new.*.`);
    }
    const { url, date_old, date_new } = readMeta(join(folder, pair));
    const before = sentAt(readSnapshot(old, url), date_old);
    const after = sentAt(readSnapshot(now, url), date_new);
    const start = performance.now();
    const { verdict } = await judge(before, after, emptyMemory());
    const ms = Math.round((performance.now() - start) * 10) / 10;
    const reasons = verdict.reasons.map(({ kind, severity, summary }) => ({ kind, severity, summary }));
    const { changed, folded, summary } = verdict;
    print(JSON.stringify({ pair, changed, folded, summary, reasons, ms }));
  }
}

async function compareHistories(folder: string, print: Print): Promise<void> {
  if (versionsIn(folder).length > 0) await compareHistory(folder, print);
  else for (const name of foldersIn(folder)) await compareHistory(join(folder, name), print);
}

async function compareHistory(folder: string, print: Print): Promise<void> {
  const { url } = readMeta(folder);
  let memory = emptyMemory();
  let before: Snapshot | undefined;
  for (const [step, version] of versionsIn(folder).entries()) {
    const after = readSnapshot(join(folder, version), url);
    let isBaseline = true;
    if (before) {
      const result = await judge(before, after, memory);
      memory = result.memory;
      const { changed, folded, stood, partial, summary, often } = result.verdict;
      isBaseline = !partial;
      print(
        JSON.stringify({ history: basename(folder), step, changed, folded, stood, partial, summary, often }),
      );
    }
    if (isBaseline) before = after;
  }
}

/** Prints which text of each page is its main content. */
function splitPages(folder: string, print: Print): void {
  for (const page of foldersIn(folder)) {
    const html = readBytes(join(folder, page, "page.html")).toString("utf8");
    print(JSON.stringify({ page, ...splitContent(html) }));
  }
}

async function judge(
  before: Snapshot,
  after: Snapshot,
  memory: NoiseMemory,
): Promise<{ verdict: Verdict; memory: NoiseMemory }> {
  const isImage = before.kind === "image" && after.kind === "image";
  const picture =
    before.picture && after.picture
      ? compareImage(await decode(before.picture.png), await decode(after.picture.png), isImage)
      : null;
  return compare(before, after, memory, picture);
}

async function decode(png: Uint8Array): Promise<Image> {
  try {
    const { data, info } = await sharp(png)
      .toColourspace("srgb")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data };
  } catch {
    throw new UsageError("One of the pictures cannot be decoded.");
  }
}

function readSnapshot(path: string, url = ""): Snapshot {
  const body = readBytes(path);
  const kind = detectContentKind("", path, body);
  if (kind !== "image") return snapshotOf(new TextDecoder().decode(body), kind, url);
  return { ...snapshotOf("", kind, url), body, picture: { png: body, width: 0, height: 0 } };
}

function readMemory(path: string): NoiseMemory {
  if (!existsSync(path)) return emptyMemory();
  try {
    return JSON.parse(readBytes(path).toString("utf8")) as NoiseMemory;
  } catch {
    throw new UsageError(`${path} is no memory file.`);
  }
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new UsageError(`${path} cannot be read.`);
  }
}

type Meta = { url: string; date_old?: string; date_new?: string };

/** Where and when the page was captured, if a meta.json next to it says so. */
function readMeta(folder: string): Meta {
  const path = join(folder, "meta.json");
  const meta = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Partial<Meta>) : {};
  return { ...meta, url: typeof meta.url === "string" ? meta.url : "" };
}

/** Adds a response header that says when the page was sent. */
function sentAt(snapshot: Snapshot, date = ""): Snapshot {
  const sent = new Date(date);
  return Number.isNaN(sent.getTime()) ? snapshot : { ...snapshot, headers: [["date", sent.toUTCString()]] };
}

function foldersIn(folder: string): string[] {
  return namesIn(folder).filter((name) => statSync(join(folder, name)).isDirectory());
}

function versionsIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => /^\d+\./.test(name))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    throw new UsageError(`${folder} is no folder that can be read.`);
  }
}

function findFile(folder: string, stem: string): string | undefined {
  const name = namesIn(folder).find((candidate) => candidate.startsWith(`${stem}.`));
  return name === undefined ? undefined : join(folder, name);
}

if (import.meta.main) {
  process.exitCode = await runCompare(process.argv.slice(2), console.log, console.error);
}
