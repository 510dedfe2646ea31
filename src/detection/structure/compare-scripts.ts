import { hostItem, hostOf, isVendor, publisherOf, withoutRegion } from "../noise/hosts.ts";
import {
  addressesIn,
  isDataOnly,
  isVendorSnippet,
  risksOf,
  scriptShape,
  staysHome,
} from "../noise/scripts.ts";
import { withoutComments } from "../noise/without-comments.ts";
import { type NoiseMemory, wasSeen } from "../noise-memory.ts";
import type { Page, Script } from "../page.ts";
import type { Ignored, Severity } from "../verdict.ts";
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
  compareStyles(older, newer, known, memory, found);
  compareHandlers(older, newer, known, found);
  const shapes = new Set<string>();
  const versions: Version[] = [];
  for (const { code } of inlineOf(older)) {
    shapes.add(scriptShape(code));
    if (versions.length < MAX_JUDGED) versions.push({ words: wordsOf(code), risks: risksOf(code) });
  }
  let statements: Set<string> | undefined;
  const withoutKnown = (code: string) => {
    statements ??= new Set(inlineOf(older).flatMap((script) => statementsOf(script.code).map(scriptShape)));
    return novelIn(code, statements);
  };
  for (const script of inlineOf(newer)) {
    const shape = scriptShape(script.code);
    const novel = !shapes.has(shape) && !wasSeen(memory, `inline ${shape}`);
    judgeInline(script.code, shape, novel, versions, withoutKnown, known, memory, found);
  }
}

/** The statements of a script that no script of the old page had: the rest is its code in another order. */
function novelIn(code: string, known: Set<string>): string {
  return statementsOf(code)
    .filter((statement) => !known.has(scriptShape(statement)))
    .join(";");
}

function statementsOf(code: string): string[] {
  return code.split(/[;{}]/);
}

/** An inline script of the old page, as far as it takes to know another version of it. */
type Version = { words: Set<string>; risks: string[] };

function compareSources(
  older: Page,
  newer: Page,
  known: KnownHosts,
  memory: NoiseMemory,
  found: StructureComparison,
): void {
  const oldContainers = new Set(older.scripts.flatMap(({ src, code }) => containersIn(src ?? code)));
  const oldAddresses = new Set(older.scripts.map(({ src }) => src));
  const done = new Set<string>();
  for (const { src, code, type } of newer.scripts) {
    if (type === "importmap") {
      const [target] = newTargetsIn(code, known);
      if (target) report(found, "critical", `Import map names a new host ${hostOf(target)}`, code);
    }
    for (const container of containersIn(src ?? code)) {
      if (oldContainers.has(container) || wasSeen(memory, `container ${container}`)) continue;
      oldContainers.add(container);
      found.alarmed.push(`container ${container}`);
      report(found, "important", `New tag manager container ${container}`, src ?? code);
    }
    if (src === null) continue;
    if (holdsCode(src)) {
      const isHabit = isDataAddress(src) && older.scripts.some((script) => isDataAddress(script.src));
      if (!oldAddresses.has(src) && !isHabit)
        report(found, "critical", "New script whose address holds code", src);
      continue;
    }
    if (done.has(publisherOf(src))) continue;
    done.add(publisherOf(src));
    if (known.isNewSource(src) && !wasLoaded(memory, src)) {
      report(found, "critical", `New script host ${hostOf(src)}`, src);
      found.alarmed.push(hostItem("script", src));
    } else if (known.isForeignSource(src)) {
      found.ignored.push(passedOver(hostItem("script", src), src));
    }
  }
}

/** Whether the page loaded from there before, or a script of its own named the place, as loaders do. */
export function wasLoaded(memory: NoiseMemory, src: string): boolean {
  return wasSeen(memory, hostItem("script", src)) || wasSeen(memory, hostItem("inline", src));
}

function holdsCode(src: string): boolean {
  return /^(?:data|blob):|[?&][\w.-]*=[^&#]*\w(?:\(|%28)/i.test(src);
}

function isDataAddress(src: string | null): boolean {
  return src !== null && /^data:/i.test(src);
}

/** A host that is let pass: everyone knows it, or the memory does. */
export function passedOver(item: string, address: string): Ignored {
  const why = isVendor(hostOf(address)) ? "tracking" : "alternating";
  return { place: item, before: null, after: address.slice(0, 500), why };
}

/** Style sheets read what is typed and hide what is shown; only those from someone new count. */
function compareStyles(
  older: Page,
  newer: Page,
  known: KnownHosts,
  memory: NoiseMemory,
  found: StructureComparison,
): void {
  const done = new Set<string>();
  for (const href of newer.styles) {
    const item = hostItem("style", href);
    if (done.has(item)) continue;
    done.add(item);
    if (!known.isNewSource(href)) continue;
    if (wasSeen(memory, item)) found.ignored.push(passedOver(item, href));
    else {
      // A store answers from whichever of its regions is near.
      const isTwin = older.styles.some((old) => withoutRegion(old) === withoutRegion(href));
      const severity = isTwin ? "info" : "important";
      report(found, severity, `New style sheet host ${hostOf(href)}`, href);
      found.alarmed.push(item);
    }
  }
}

/** Whoever holds a container writes scripts into the page, from a host that every page knows. */
export function containersIn(text: string): string[] {
  return text.match(/\bGTM-[A-Z0-9]{4,10}\b/g) ?? [];
}

function compareHandlers(older: Page, newer: Page, known: KnownHosts, found: StructureComparison): void {
  const shapes = new Set(older.handlers.map(scriptShape));
  for (const code of newer.handlers) {
    const shape = scriptShape(code);
    if (shapes.has(shape)) continue;
    shapes.add(shape);
    const [target] = newTargetsIn(code, known);
    if (/^\s*(?:data|vbscript):/i.test(code))
      report(found, "critical", "New link to an address that holds code", code);
    // Leading elsewhere is what handlers and javascript: links are for.
    const risk = risksOf(code).find((name) => name !== "leads elsewhere");
    if (target) report(found, "critical", `Event handler names a new host ${hostOf(target)}`, code);
    else if (risk) report(found, "important", `New event handler: ${risk}`, code);
  }
}

/** Scripts whose code is in the page: between their tags or, in base64, in their address. */
function inlineOf(page: Page): Script[] {
  return page.scripts
    .map((script) => (script.src === null ? script : { ...script, code: codeInAddress(script.src) }))
    .filter(({ type, code }) => type === "" && code.trim() !== "");
}

function codeInAddress(src: string): string {
  const [, encoded, text] = /^data:[^,]*?(;base64)?,([^]*)$/i.exec(src) ?? [];
  if (text === undefined) return "";
  try {
    return encoded === undefined ? decodeURIComponent(text) : atob(text);
  } catch {
    return text;
  }
}

function judgeInline(
  code: string,
  shape: string,
  novel: boolean,
  versions: Version[],
  withoutKnown: (code: string) => string,
  known: KnownHosts,
  memory: NoiseMemory,
  found: StructureComparison,
): void {
  const isData = isDataOnly(shape);
  const strange = isData ? [] : strangersIn(code, known);
  const address = strange.find((name) => !wasSeen(memory, hostItem("inline", name)));
  if (address) {
    report(found, "critical", `Inline script names a new host ${hostOf(address)}`, code);
    for (const name of strange) found.alarmed.push(hostItem("inline", name));
    return;
  }
  if (!novel || found.changes.length > MAX_JUDGED) return;
  const risk = isData ? undefined : newRisk(code, versions, withoutKnown, known);
  if (risk) {
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

/** What a script does that neither the version before nor a tag manager's usual snippet would do. */
function newRisk(
  code: string,
  versions: Version[],
  withoutKnown: (code: string) => string,
  known: KnownHosts,
): string | undefined {
  const isSnippet = isVendorSnippet(code) || callsVendors(code, known);
  const all = risksOf(code).filter((risk) => !isSnippet || !harmlessInSnippets.has(risk));
  const risks = all.every((risk) => harmlessAtHome.has(risk)) && staysHome(code) ? [] : all;
  if (risks.length === 0) return undefined;
  const own = wordsOf(code);
  const before = versions.filter(({ words }) => isEdit(words, own));
  const risk = risks.find((name) => !before.some((version) => version.risks.includes(name)));
  return risk !== undefined && risksOf(withoutKnown(code)).length > 0 ? risk : undefined;
}

/** Whether all that a script names are services whose own scripts a page may load unasked, and hosts it loaded from. */
function callsVendors(code: string, known: KnownHosts): boolean {
  const addresses = [...addressesIn(code)];
  const isFine = (address: string) => isVendor(hostOf(address)) || !known.isForeignSource(address);
  return addresses.some((address) => isVendor(hostOf(address))) && addresses.every(isFine);
}

const harmlessInSnippets = new Set([
  "loads a script",
  "sends data out",
  "leads elsewhere",
  "writes into the page",
]);

/** Addresses of someone new that a script may call; those in its comments are credits. */
function strangersIn(code: string, known: KnownHosts): string[] {
  const named = newTargetsIn(code, known);
  return named.length === 0 ? named : newTargetsIn(withoutComments(code), known);
}

// A site may measure itself and load its own scripts, as it may by an element with their address.
const harmlessAtHome = new Set(["sends data out", "loads a script"]);

function newTargetsIn(code: string, known: KnownHosts): string[] {
  return [...addressesIn(code)].filter((address) => known.isNewTarget(address));
}

// Pages have tens of inline scripts; weighing thousands against thousands helps nobody.
const MAX_JUDGED = 200;
// Enough of a script to know another version of it.
const MAX_WORDS = 2000;

function wordsOf(code: string): Set<string> {
  return new Set((code.slice(0, 40_000).match(/[\w$]+/g) ?? []).slice(0, MAX_WORDS));
}

// A bundle's own words: those that a minifier or a build makes up are short or hold a digit.
const FEWEST_NAMES = 20;

function namesIn(words: Set<string>): Set<string> {
  return new Set([...words].filter((word) => word.length > 2 && !/\d/.test(word)));
}

/** Whether a script is another version of one that stood there, by all its words or by those that its author chose. */
function isEdit(before: Set<string>, after: Set<string>): boolean {
  if (isAlike(before, after)) return true;
  const [old, now] = [namesIn(before), namesIn(after)];
  return old.size >= FEWEST_NAMES && now.size >= FEWEST_NAMES && isAlike(old, now);
}

function isAlike(before: Set<string>, after: Set<string>): boolean {
  const ratio = before.size / Math.max(1, after.size);
  if (ratio < 0.4 || ratio > 2.5) return false;
  let common = 0;
  for (const word of before) if (after.has(word)) common++;
  return (2 * common) / (before.size + after.size) > 0.6;
}

function excerpt(code: string): string {
  return code.slice(0, 2000).trim().replace(/\s+/g, " ").slice(0, 300);
}

export function report(found: StructureComparison, severity: Severity, summary: string, code: string): void {
  found.changes.push({
    kind: "script",
    severity,
    summary,
    where: "script",
    before: null,
    after: excerpt(code),
  });
}
