import { asListed } from "../noise/as-listed.ts";
import { hostItem, hostOf, isVendor, registrable } from "../noise/hosts.ts";
import { type NoiseMemory, type Observation, recall, wasSeen } from "../noise-memory.ts";
import type { Page } from "../page.ts";
import { passedOver, report, wasLoaded } from "./compare-scripts.ts";
import type { KnownHosts } from "./known-hosts.ts";
import type { StructureComparison } from "./structure-change.ts";

// A page that talks to more strangers than this sells its space to the highest bidder: who it is says nothing.
const CROWD = 20;

/** Finds what the browser fetched beyond the markup: scripts that came or whose contents changed, hosts talked to. */
export function compareLoaded(
  older: Page,
  newer: Page,
  known: KnownHosts,
  memory: NoiseMemory,
  found: StructureComparison,
): void {
  if (!older.loaded || !newer.loaded) return;
  const before = new Set(older.loaded.scripts.map(({ src }) => publisher(src)));
  for (const { src } of newer.loaded.scripts) {
    const item = hostItem("script", src ?? "");
    if (src === null || before.has(publisher(src)) || !known.isNewSource(src)) continue;
    before.add(publisher(src));
    if (found.alarmed.includes(item)) continue;
    if (wasLoaded(memory, src)) found.ignored.push(passedOver(item, src));
    else {
      report(found, "critical", `New script host ${hostOf(src)}`, src);
      found.alarmed.push(item);
    }
  }
  compareContents(older, newer, known, memory, found);
  compareHosts(older.loaded.hosts, newer.loaded.hosts, known, memory, found);
}

function publisher(src: string | null): string {
  return registrable(hostOf(src ?? ""));
}

/** Scripts under the same address that are no longer the same; services that everyone loads change theirs daily. */
function compareContents(
  older: Page,
  newer: Page,
  known: KnownHosts,
  memory: NoiseMemory,
  found: StructureComparison,
): void {
  for (const seen of changedContents(older, newer)) {
    const { place, before, after } = seen;
    const src = place.slice(CONTENTS.length);
    const why = isVendor(hostOf(src)) ? { why: "tracking" as const } : recall(memory, seen);
    if (why) found.ignored.push({ place, before, after, ...asListed(why) });
    else {
      const severity = known.isItself(hostOf(src)) ? "notice" : "important";
      const name = src.split(/[?#]/)[0]?.slice(-100) ?? "";
      found.changes.push({
        kind: "script",
        severity,
        summary: `Script contents changed: ${name}`,
        where: src,
        before,
        after,
      });
    }
  }
}

const CONTENTS = "contents of ";

/** What the memory is told of scripts whose contents differ. */
export function changedContents(older: Page, newer: Page): Observation[] {
  const before = new Map(older.loaded?.scripts.map(({ src, sha256 }) => [src, sha256]));
  const changed: Observation[] = [];
  for (const { src, sha256 } of newer.loaded?.scripts ?? []) {
    const old = before.get(src);
    if (src === null || !old || sha256 === "" || old === sha256) continue;
    changed.push({ place: CONTENTS + src.slice(0, 300), before: old, after: sha256, frame: false });
  }
  return changed;
}

function compareHosts(
  before: string[],
  after: string[],
  known: KnownHosts,
  memory: NoiseMemory,
  found: StructureComparison,
): void {
  const old = new Set(before.map(registrable));
  const isStranger = (host: string) => known.isNewTarget(`//${host}`);
  const severity = before.filter(isStranger).length > CROWD ? "info" : "notice";
  for (const host of after) {
    const item = `host ${registrable(host)}`;
    if (old.has(registrable(host)) || !isStranger(host)) continue;
    old.add(registrable(host));
    if (found.changes.some((change) => hostOf(change.after ?? "") === host)) continue;
    if (wasSeen(memory, item)) found.ignored.push(passedOver(item, `//${host}`));
    else {
      report(found, severity, `Page now talks to ${host}`, `//${host}`);
      found.alarmed.push(item);
    }
  }
}
