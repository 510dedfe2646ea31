import type { Page, Script } from "../extract-page.ts";
import { hostItem, hostOf, publisherOf } from "../noise/hosts.ts";
import { addressesIn, isDataOnly, isVendorSnippet, risksOf, scriptShape } from "../noise/scripts.ts";
import { type NoiseMemory, wasSeen } from "../noise-memory.ts";
import type { Severity } from "../verdict.ts";
import type { KnownHosts } from "./known-hosts.ts";
import type { StructureComparison } from "./structure-change.ts";

/** Finds code that was not on the page before: sources, inline scripts, event handlers. */
export function compareScripts(
  older: Page,
  newer: Page,
  known: KnownHosts,
  memory: NoiseMemory,
  found: StructureComparison,
): void {
  compareSources(older, newer, known, memory, found);
  compareHandlers(older, newer, known, found);
  const shapes = new Set<string>();
  const words: Set<string>[] = [];
  for (const script of older.scripts.filter(runsInline)) {
    shapes.add(scriptShape(script.code));
    if (words.length < MAX_JUDGED) words.push(wordsOf(script.code));
  }
  for (const script of newer.scripts.filter(runsInline)) {
    const shape = scriptShape(script.code);
    const novel = !shapes.has(shape) && !wasSeen(memory, `inline ${shape}`);
    judgeInline(script.code, shape, novel, words, known, found);
  }
}

function compareSources(
  older: Page,
  newer: Page,
  known: KnownHosts,
  memory: NoiseMemory,
  found: StructureComparison,
): void {
  const oldContainers = new Set(older.scripts.flatMap(({ src, code }) => containersIn(src ?? code)));
  const done = new Set<string>();
  for (const { src, code } of newer.scripts) {
    for (const container of containersIn(src ?? code)) {
      if (oldContainers.has(container)) continue;
      oldContainers.add(container);
      report(found, "important", `New tag manager container ${container}`, src ?? code);
    }
    if (src === null || done.has(publisherOf(src))) continue;
    done.add(publisherOf(src));
    if (/^data:/i.test(src)) {
      if (!older.scripts.some((old) => old.src?.startsWith("data:")))
        report(found, "critical", "New script in a data address", src);
    } else if (known.isNewSource(src) && !wasSeen(memory, hostItem("script", src))) {
      report(found, "critical", `New script host ${hostOf(src)}`, src);
      found.alarmed.push(hostItem("script", src));
    } else if (known.isForeignSource(src)) {
      found.ignored.push({ place: "script", before: null, after: src, why: "tracking" });
    }
  }
}

/** Whoever holds a container writes scripts into the page, from a host that every page knows. */
function containersIn(text: string): string[] {
  return text.match(/\bGTM-[A-Z0-9]{4,10}\b/g) ?? [];
}

function compareHandlers(older: Page, newer: Page, known: KnownHosts, found: StructureComparison): void {
  const shapes = new Set(older.handlers.map(scriptShape));
  for (const code of newer.handlers) {
    const shape = scriptShape(code);
    if (shapes.has(shape)) continue;
    shapes.add(shape);
    const host = newHostsIn(code, known)[0];
    // Leading elsewhere is what handlers and javascript: links are for.
    const risk = risksOf(code).find((name) => name !== "leads elsewhere");
    if (host) report(found, "critical", `Event handler names a new host ${host}`, code);
    else if (risk) report(found, "important", `New event handler: ${risk}`, code);
  }
}

function runsInline(script: Script): boolean {
  return script.src === null && script.type === "" && script.code.trim() !== "";
}

function judgeInline(
  code: string,
  shape: string,
  novel: boolean,
  oldWords: Set<string>[],
  known: KnownHosts,
  found: StructureComparison,
): void {
  const isData = isDataOnly(shape);
  const [host] = isData ? [] : newHostsIn(code, known);
  if (host) {
    report(found, "critical", `Inline script names a new host ${host}`, code);
    return;
  }
  if (!novel) return;
  const [risk] = risksOf(code);
  const edited = () => {
    if (found.changes.length > MAX_JUDGED) return true;
    const own = wordsOf(code);
    return oldWords.some((old) => isEdit(old, own));
  };
  if (!isData && risk && !isVendorSnippet(code) && !edited()) {
    report(found, "important", `New inline script: ${risk}`, code);
  } else {
    found.ignored.push({
      place: "inline script",
      before: null,
      after: excerpt(code),
      why: isData ? "token" : "build",
    });
  }
}

function newHostsIn(code: string, known: KnownHosts): string[] {
  return [...addressesIn(code)].filter((address) => known.isNewTarget(address)).map(hostOf);
}

// Pages have tens of inline scripts; weighing thousands against thousands helps nobody.
const MAX_JUDGED = 200;
// Enough of a script to know another version of it.
const MAX_WORDS = 2000;

function wordsOf(code: string): Set<string> {
  return new Set((code.slice(0, 40_000).match(/[\w$]+/g) ?? []).slice(0, MAX_WORDS));
}

/** Whether a script is another version of one that stood there. */
function isEdit(before: Set<string>, after: Set<string>): boolean {
  const ratio = before.size / Math.max(1, after.size);
  if (ratio < 0.4 || ratio > 2.5) return false;
  let common = 0;
  for (const word of before) if (after.has(word)) common++;
  return (2 * common) / (before.size + after.size) > 0.6;
}

function excerpt(code: string): string {
  return code.slice(0, 2000).trim().replace(/\s+/g, " ").slice(0, 300);
}

function report(found: StructureComparison, severity: Severity, summary: string, code: string): void {
  found.changes.push({
    kind: "script",
    severity,
    summary,
    where: "script",
    before: null,
    after: excerpt(code),
  });
}
