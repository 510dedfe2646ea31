import { reportOnce } from "../html-comparison/report-once.ts";
import type { StructureContext } from "../html-comparison/structure-change.ts";
import type { Page } from "../html-parsing/page.ts";
import { recall } from "../noise-memory/noise-memory.ts";
import { type Observation } from "../noise-memory/observation.ts";
import { decidedBy } from "../noise-rules/noise-rule.ts";
import { severityOf } from "../severity/severity.ts";
import { hostOf, isVendor, registrable } from "../third-party-hosts/hosts.ts";
import { judgeScriptSource, scriptChange } from "./compare-scripts.ts";

// A page that contacts more unknown hosts than this auctions its ad space: which hosts it contacts means nothing.
const MANY_HOSTS = 20;

/** Finds changes in what the browser loaded beyond the markup: new scripts, changed script contents, new hosts. */
export function compareLoaded(context: StructureContext): void {
  const { older, newer, known } = context;
  if (!older.loaded || !newer.loaded) return;
  const oldPublishers = new Set(older.loaded.scripts.map(({ src }) => publisher(src)));
  for (const { src } of newer.loaded.scripts) {
    if (src !== null && !oldPublishers.has(publisher(src)) && known.isNewSource(src))
      judgeScriptSource(context, src);
  }
  compareContents(context);
  compareHosts(older.loaded.hosts, newer.loaded.hosts, context);
}

function publisher(src: string | null): string {
  return registrable(hostOf(src ?? ""));
}

/** Finds scripts whose contents changed under the same address; common services change theirs daily and are ignored. */
function compareContents({ older, newer, known, memory, found }: StructureContext): void {
  for (const observation of changedContents(older, newer)) {
    const { place, before, after } = observation;
    const src = place.slice(CONTENTS_PREFIX.length);
    const why = isVendor(hostOf(src)) ? { why: decidedBy("tracking.vendor") } : recall(memory, observation);
    if (why) found.ignored.push({ place, before, after, ...why });
    else {
      const isOwn = known.isOwnHost(hostOf(src));
      const name = src.split(/[?#]/)[0]?.slice(-100) ?? "";
      found.changes.push({
        kind: "script",
        severity: isOwn ? severityOf.ownScriptContentsChanged : severityOf.scriptContentsChanged,
        summary: `Script contents changed: ${name}`,
        where: src,
        before,
        after,
      });
    }
  }
}

const CONTENTS_PREFIX = "contents of ";

/** Observations for the noise memory: scripts whose contents differ. */
export function changedContents(older: Page, newer: Page): Observation[] {
  const oldHashes = new Map(older.loaded?.scripts.map(({ src, sha256 }) => [src, sha256]));
  const changed: Observation[] = [];
  for (const { src, sha256 } of newer.loaded?.scripts ?? []) {
    const old = oldHashes.get(src);
    if (src === null || !old || sha256 === "" || old === sha256) continue;
    changed.push({ place: CONTENTS_PREFIX + src.slice(0, 300), before: old, after: sha256, frame: false });
  }
  return changed;
}

function compareHosts(oldHosts: string[], newHosts: string[], context: StructureContext): void {
  const { known, found } = context;
  const knownDomains = new Set(oldHosts.map(registrable));
  const isUnknown = (host: string) => known.isNewTarget(`//${host}`);
  const severity =
    oldHosts.filter(isUnknown).length > MANY_HOSTS
      ? severityOf.newContactedHostAmongMany
      : severityOf.newContactedHost;
  for (const host of newHosts) {
    if (knownDomains.has(registrable(host)) || !isUnknown(host)) continue;
    if (found.changes.some((change) => hostOf(change.after ?? "") === host)) continue;
    const change = scriptChange(severity, `Page now talks to ${host}`, `//${host}`);
    reportOnce(context, `host ${registrable(host)}`, `//${host}`, change);
  }
}
