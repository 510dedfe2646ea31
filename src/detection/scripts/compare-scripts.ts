import type { StructureComparison } from "../html-comparison/structure-change.ts";
import type { Page, Script } from "../html-parsing/page.ts";
import { type NoiseMemory, wasSeen } from "../noise-memory/noise-memory.ts";
import { decide, decidedBy } from "../noise-rules/noise-rule.ts";
import { harmlessScript, sourceRules } from "../noise-rules/response-rules.ts";
import { type Severity, severityOf } from "../severity/severity.ts";
import { hostItem, hostOf, isVendor, publisherOf, withoutRegion } from "../third-party-hosts/hosts.ts";
import type { KnownHosts } from "../third-party-hosts/known-hosts.ts";
import type { Ignored } from "../verdict/verdict.ts";
import {
  addressesIn,
  isDataOnly,
  isVendorSnippet,
  risksOf,
  scriptShape,
  usesOwnSiteOnly,
} from "./scripts.ts";
import { withoutComments } from "./without-comments.ts";

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
  const keepNovel = (code: string) => {
    statements ??= new Set(inlineOf(older).flatMap((script) => statementsOf(script.code).map(scriptShape)));
    return keepNovelStatements(code, statements);
  };
  for (const script of inlineOf(newer)) {
    const shape = scriptShape(script.code);
    const isNovel = !shapes.has(shape) && !wasSeen(memory, `inline ${shape}`);
    judgeInline(script.code, shape, isNovel, versions, keepNovel, known, memory, found);
  }
}

/** The statements of a script that no script of the old page had; the others are old code in another order. */
function keepNovelStatements(code: string, known: Set<string>): string {
  return statementsOf(code)
    .filter((statement) => !known.has(scriptShape(statement)))
    .join(";");
}

function statementsOf(code: string): string[] {
  return code.split(/[;{}]/);
}

/** What it takes to recognize another version of an inline script of the old page. */
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
  const checked = new Set<string>();
  for (const { src, code, type } of newer.scripts) {
    if (type === "importmap") {
      const [target] = newTargetsIn(code, known);
      if (target)
        report(found, severityOf.newImportMapHost, `Import map names a new host ${hostOf(target)}`, code);
    }
    for (const container of containersIn(src ?? code)) {
      if (oldContainers.has(container) || wasSeen(memory, `container ${container}`)) continue;
      oldContainers.add(container);
      found.alarmed.push(`container ${container}`);
      report(found, severityOf.newTagManagerContainer, `New tag manager container ${container}`, src ?? code);
    }
    if (src === null) continue;
    if (holdsCode(src)) {
      const usedDataBefore = isDataAddress(src) && older.scripts.some((script) => isDataAddress(script.src));
      if (!oldAddresses.has(src) && !usedDataBefore)
        report(found, severityOf.newScriptAddressHoldsCode, "New script whose address holds code", src);
      continue;
    }
    if (checked.has(publisherOf(src))) continue;
    checked.add(publisherOf(src));
    if (known.isNewSource(src) && !wasLoaded(memory, src)) {
      report(found, severityOf.newScriptHost, `New script host ${hostOf(src)}`, src);
      found.alarmed.push(hostItem("script", src));
    } else if (known.isForeignSource(src)) {
      found.ignored.push(passedOver(hostItem("script", src), src));
    }
  }
}

/** Whether the page loaded from this publisher before, or an inline script named it, as loaders do. */
export function wasLoaded(memory: NoiseMemory, src: string): boolean {
  return wasSeen(memory, hostItem("script", src)) || wasSeen(memory, hostItem("inline", src));
}

function holdsCode(src: string): boolean {
  return /^(?:data|blob):|[?&][\w.-]*=[^&#]*\w(?:\(|%28)/i.test(src);
}

function isDataAddress(src: string | null): boolean {
  return src !== null && /^data:/i.test(src);
}

/** An ignored entry for a host that is a common service or known to the noise memory. */
export function passedOver(item: string, address: string): Ignored {
  const why = decide(sourceRules, { address, isKnown: true }) ?? "alternating";
  return { place: item, before: null, after: address.slice(0, 500), why };
}

/** Style sheets can read what is typed and hide what is shown; only those from new hosts count. */
function compareStyles(
  older: Page,
  newer: Page,
  known: KnownHosts,
  memory: NoiseMemory,
  found: StructureComparison,
): void {
  const checked = new Set<string>();
  for (const href of newer.styles) {
    const item = hostItem("style", href);
    if (checked.has(item)) continue;
    checked.add(item);
    if (!known.isNewSource(href)) continue;
    if (wasSeen(memory, item)) found.ignored.push(passedOver(item, href));
    else {
      // A cloud store answers from whichever of its regions is nearest.
      const isOtherRegion = older.styles.some((old) => withoutRegion(old) === withoutRegion(href));
      const severity = isOtherRegion ? severityOf.newStyleSheetRegion : severityOf.newStyleSheetHost;
      report(found, severity, `New style sheet host ${hostOf(href)}`, href);
      found.alarmed.push(item);
    }
  }
}

/** Finds tag manager containers; the owner of one can add scripts to the page from a host that every page knows. */
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
      report(found, severityOf.linkHoldsCode, "New link to an address that holds code", code);
    // Navigating elsewhere is what handlers and javascript: links are for.
    const risk = risksOf(code).find((name) => name !== "leads elsewhere");
    if (target)
      report(
        found,
        severityOf.eventHandlerNamesNewHost,
        `Event handler names a new host ${hostOf(target)}`,
        code,
      );
    else if (risk) report(found, severityOf.riskyEventHandler, `New event handler: ${risk}`, code);
  }
}

/** Scripts whose code is in the page: between their tags or encoded in their address. */
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
  isNovel: boolean,
  versions: Version[],
  keepNovel: (code: string) => string,
  known: KnownHosts,
  memory: NoiseMemory,
  found: StructureComparison,
): void {
  const isData = isDataOnly(shape);
  const newTargets = isData ? [] : newTargetsCalledIn(code, known);
  const address = newTargets.find((name) => !wasSeen(memory, hostItem("inline", name)));
  if (address) {
    report(
      found,
      severityOf.inlineScriptNamesNewHost,
      `Inline script names a new host ${hostOf(address)}`,
      code,
    );
    for (const name of newTargets) found.alarmed.push(hostItem("inline", name));
    return;
  }
  if (!isNovel || found.changes.length > MAX_JUDGED) return;
  const risk = isData ? undefined : newRisk(code, versions, keepNovel, known);
  if (risk) {
    report(found, severityOf.riskyInlineScript, `New inline script: ${risk}`, code);
  } else {
    found.ignored.push({
      place: "inline script",
      before: null,
      after: excerpt(code),
      why: decidedBy(harmlessScript),
    });
  }
}

/** A risk of a script that neither its old version nor a usual tag manager snippet has; undefined if there is none. */
function newRisk(
  code: string,
  versions: Version[],
  keepNovel: (code: string) => string,
  known: KnownHosts,
): string | undefined {
  const isSnippet = isVendorSnippet(code) || callsVendors(code, known);
  const all = risksOf(code).filter((risk) => !isSnippet || !harmlessInSnippets.has(risk));
  const risks = all.every((risk) => harmlessOnOwnSite.has(risk)) && usesOwnSiteOnly(code) ? [] : all;
  if (risks.length === 0) return undefined;
  const ownWords = wordsOf(code);
  const versionsBefore = versions.filter(({ words }) => isEdit(words, ownWords));
  const risk = risks.find((name) => !versionsBefore.some((version) => version.risks.includes(name)));
  return risk !== undefined && risksOf(keepNovel(code)).length > 0 ? risk : undefined;
}

/** Whether a script names only common services, at least one, and hosts that the page already loaded from. */
function callsVendors(code: string, known: KnownHosts): boolean {
  const addresses = [...addressesIn(code)];
  const isKnown = (address: string) => isVendor(hostOf(address)) || !known.isForeignSource(address);
  return addresses.some((address) => isVendor(hostOf(address))) && addresses.every(isKnown);
}

const harmlessInSnippets = new Set([
  "loads a script",
  "sends data out",
  "leads elsewhere",
  "writes into the page",
]);

/** Addresses on new hosts that a script may call; those in its comments are only credits. */
function newTargetsCalledIn(code: string, known: KnownHosts): string[] {
  const named = newTargetsIn(code, known);
  return named.length === 0 ? named : newTargetsIn(withoutComments(code), known);
}

// A site may measure itself and load its own scripts, as it could also do with a script element.
const harmlessOnOwnSite = new Set(["sends data out", "loads a script"]);

function newTargetsIn(code: string, known: KnownHosts): string[] {
  return [...addressesIn(code)].filter((address) => known.isNewTarget(address));
}

// Pages have tens of inline scripts; comparing thousands with thousands is of no use.
const MAX_JUDGED = 200;
// Enough words to recognize another version of a script.
const MAX_WORDS = 2000;

function wordsOf(code: string): Set<string> {
  return new Set((code.slice(0, 40_000).match(/[\w$]+/g) ?? []).slice(0, MAX_WORDS));
}

// Minimum number of names chosen by an author; those that a minifier or a build generates are short or contain a digit.
const MIN_NAMES = 20;

function namesIn(words: Set<string>): Set<string> {
  return new Set([...words].filter((word) => word.length > 2 && !/\d/.test(word)));
}

/** Whether a script is another version of an old one, judged by all its words or by those that its author chose. */
function isEdit(before: Set<string>, after: Set<string>): boolean {
  if (isAlike(before, after)) return true;
  const [old, now] = [namesIn(before), namesIn(after)];
  return old.size >= MIN_NAMES && now.size >= MIN_NAMES && isAlike(old, now);
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
