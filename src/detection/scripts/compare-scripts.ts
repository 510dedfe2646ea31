import { reportOnce } from "../html-comparison/report-once.ts";
import type { StructureChange, StructureContext } from "../html-comparison/structure-change.ts";
import type { Page, Script } from "../html-parsing/page.ts";
import { wasSeen } from "../noise-memory/noise-memory.ts";
import { decidedBy } from "../noise-rules/noise-rule.ts";
import { type Severity, severityOf } from "../severity/severity.ts";
import { shareOf } from "../text/pair-blocks.ts";
import { hostItem, hostOf, isVendor, withoutRegion } from "../third-party-hosts/hosts.ts";
import type { KnownHosts } from "../third-party-hosts/known-hosts.ts";
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
export function compareScripts(context: StructureContext): void {
  const { older, newer, memory } = context;
  compareSources(context);
  compareStyles(context);
  compareHandlers(context);
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
  for (const { code } of inlineOf(newer)) {
    const shape = scriptShape(code);
    const isData = isDataOnly(shape);
    if (!isData && reportNewTarget(code, context)) continue;
    const isNovel = !shapes.has(shape) && !wasSeen(memory, `inline ${shape}`);
    if (!isNovel || context.found.changes.length > MAX_JUDGED) continue;
    const risk = isData ? undefined : newRisk(code, versions, keepNovel, context.known);
    if (risk) report(context, severityOf.riskyInlineScript, `New inline script: ${risk}`, code);
    else {
      const why = decidedBy("build.script");
      context.found.ignored.push({ place: "inline script", before: null, after: excerpt(code), why });
    }
  }
}

/** Reports an inline script that names a host which the page didn't name before; false if it names none. */
function reportNewTarget(code: string, context: StructureContext): boolean {
  const { known, memory, found } = context;
  const targets = newTargetsCalledIn(code, known);
  const address = targets.find((name) => !wasSeen(memory, hostItem("inline", name)));
  if (!address) return false;
  const summary = `Inline script names a new host ${hostOf(address)}`;
  report(context, severityOf.inlineScriptNamesNewHost, summary, code);
  for (const name of targets) found.alarmed.push(hostItem("inline", name));
  return true;
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

function compareSources(context: StructureContext): void {
  const { older, newer, known } = context;
  const oldContainers = new Set(older.scripts.flatMap(({ src, code }) => containersIn(src ?? code)));
  const oldAddresses = new Set(older.scripts.map(({ src }) => src));
  for (const { src, code, type } of newer.scripts) {
    const [target] = type === "importmap" ? newTargetsIn(code, known) : [];
    if (target)
      report(context, severityOf.newImportMapHost, `Import map names a new host ${hostOf(target)}`, code);
    for (const container of containersIn(src ?? code)) {
      if (oldContainers.has(container)) continue;
      const summary = `New tag manager container ${container}`;
      const change = scriptChange(severityOf.newTagManagerContainer, summary, src ?? code);
      reportOnce(context, `container ${container}`, container, change);
    }
    if (src === null) continue;
    if (holdsCode(src)) {
      const usedDataBefore = isDataAddress(src) && older.scripts.some((script) => isDataAddress(script.src));
      if (!oldAddresses.has(src) && !usedDataBefore)
        report(context, severityOf.newScriptAddressHoldsCode, "New script whose address holds code", src);
    } else if (known.isForeignSource(src)) judgeScriptSource(context, src);
  }
}

/** Reports a host that the page newly loads a script from, unless an inline script named it before, as loaders do. */
export function judgeScriptSource(context: StructureContext, src: string): void {
  const isNamed = wasSeen(context.memory, hostItem("inline", src));
  const change = scriptChange(severityOf.newScriptHost, `New script host ${hostOf(src)}`, src);
  reportOnce(context, hostItem("script", src), src, change, isNamed || isVendor(hostOf(src)));
}

function holdsCode(src: string): boolean {
  return /^(?:data|blob):|[?&][\w.-]*=[^&#]*\w(?:\(|%28)/i.test(src);
}

function isDataAddress(src: string | null): boolean {
  return src !== null && /^data:/i.test(src);
}

/** Style sheets can read what is typed and hide what is shown; only those from new hosts count. */
function compareStyles(context: StructureContext): void {
  const { older, newer, known } = context;
  for (const href of newer.styles) {
    if (!known.isNewSource(href)) continue;
    // A cloud store answers from whichever of its regions is nearest.
    const isOtherRegion = older.styles.some((old) => withoutRegion(old) === withoutRegion(href));
    const severity = isOtherRegion ? severityOf.newStyleSheetRegion : severityOf.newStyleSheetHost;
    const change = scriptChange(severity, `New style sheet host ${hostOf(href)}`, href);
    reportOnce(context, hostItem("style", href), href, change);
  }
}

/** Finds tag manager containers; the owner of one can add scripts to the page from a host that every page knows. */
export function containersIn(text: string): string[] {
  return text.match(/\bGTM-[A-Z0-9]{4,10}\b/g) ?? [];
}

function compareHandlers(context: StructureContext): void {
  const { older, newer, known } = context;
  const shapes = new Set(older.handlers.map(scriptShape));
  for (const code of newer.handlers) {
    const shape = scriptShape(code);
    if (shapes.has(shape)) continue;
    shapes.add(shape);
    const [target] = newTargetsIn(code, known);
    if (/^\s*(?:data|vbscript):/i.test(code))
      report(context, severityOf.linkHoldsCode, "New link to an address that holds code", code);
    // Navigating elsewhere is what handlers and javascript: links are for.
    const risk = risksOf(code).find((name) => name !== "leads elsewhere");
    const summary = target
      ? `Event handler names a new host ${hostOf(target)}`
      : `New event handler: ${risk ?? ""}`;
    const severity = target ? severityOf.eventHandlerNamesNewHost : severityOf.riskyEventHandler;
    if (target || risk) report(context, severity, summary, code);
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
const MIN_ALIKE = 0.6;

function namesIn(words: Set<string>): Set<string> {
  return new Set([...words].filter((word) => word.length > 2 && !/\d/.test(word)));
}

/** Whether a script is another version of an old one, judged by all its words or by those that its author chose. */
function isEdit(before: Set<string>, after: Set<string>): boolean {
  if (shareOf(before, after) > MIN_ALIKE) return true;
  const [old, now] = [namesIn(before), namesIn(after)];
  return old.size >= MIN_NAMES && now.size >= MIN_NAMES && shareOf(old, now) > MIN_ALIKE;
}

function excerpt(code: string): string {
  return code.slice(0, 2000).trim().replace(/\s+/g, " ").slice(0, 300);
}

/** A difference in code. */
export function scriptChange(severity: Severity, summary: string, code: string): StructureChange {
  return { kind: "script", severity, summary, where: "script", before: null, after: excerpt(code) };
}

function report({ found }: StructureContext, severity: Severity, summary: string, code: string): void {
  found.changes.push(scriptChange(severity, summary, code));
}
