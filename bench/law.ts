// `npm run bench:law -- DIR…`: checks that every difference is alerted or listed. DIR holds pages as `npm run compare`
// reads them, pairs (old.*, new.*) or histories (0.html, 1.html, …). Prints what is in neither `reasons` nor `ignored`.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { compare } from "#detection/compare.ts";
import { detectContentKind } from "#detection/file-formats/detect-content-kind.ts";
import { emptyMemory } from "#detection/noise-memory/noise-memory.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import type { Snapshot } from "#detection/snapshot/snapshot.ts";
import { markupPart } from "./law/markup.ts";
import type { LawPart } from "./law/part.ts";
import { textPart } from "./law/text.ts";

const parts: LawPart[] = [textPart, markupPart];
const SHOWN = 5;

const verbose = process.argv.includes("--verbose");
const totals = new Map<string, { pairs: number; missing: number }>();
let pairs = 0;
for (const folder of process.argv.slice(2).filter((word) => !word.startsWith("--"))) {
  for (const name of readdirSync(folder).sort()) checkFolder(join(folder, name));
}
for (const { name } of parts) {
  const { pairs: broken, missing } = totals.get(name) ?? { pairs: 0, missing: 0 };
  console.log(`${name}: ${missing} parts neither alerted nor listed, in ${broken} of ${pairs} comparisons`);
}
process.exitCode = totals.size === 0 ? 0 : 1;

function checkFolder(folder: string): void {
  const names = readdirSync(folder).filter((name) => /^(?:old|new|\d+)\.(?!json$)/.test(name));
  const versions = names.sort((a, b) => rank(a) - rank(b)).map((name) => join(folder, name));
  const url = readUrl(folder);
  for (let at = 1; at < versions.length; at++) {
    check(readPage(versions[at - 1] ?? "", url), readPage(versions[at] ?? "", url), versions[at] ?? "");
  }
}

function rank(name: string): number {
  return name.startsWith("old.") ? 0 : name.startsWith("new.") ? 1 : Number.parseInt(name, 10);
}

function check(before: Snapshot, after: Snapshot, where: string): void {
  const { verdict } = compare(before, after, emptyMemory());
  pairs++;
  for (const { name, unlisted } of parts) {
    const missing = unlisted(before, after, verdict);
    if (missing.length === 0) continue;
    const total = totals.get(name) ?? { pairs: 0, missing: 0 };
    totals.set(name, { pairs: total.pairs + 1, missing: total.missing + missing.length });
    if (!verbose && total.pairs >= SHOWN) continue;
    for (const piece of missing.slice(0, SHOWN)) console.log(`  ${name}, ${where}: ${piece.slice(0, 160)}`);
  }
}

function readPage(path: string, url: string): Snapshot {
  const body = readFileSync(path);
  return snapshotOf(new TextDecoder().decode(body), detectContentKind("", path, body), url);
}

function readUrl(folder: string): string {
  const path = join(folder, "meta.json");
  if (!statSync(path, { throwIfNoEntry: false })) return "";
  const { url } = JSON.parse(readFileSync(path, "utf8")) as { url?: unknown };
  return typeof url === "string" ? url : "";
}
