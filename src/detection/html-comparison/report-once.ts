import { wasSeen } from "../noise-memory/noise-memory.ts";
import { decidedBy } from "../noise-rules/noise-rule.ts";
import { hostOf, isVendor } from "../third-party-hosts/hosts.ts";
import type { StructureChange, StructureContext } from "./structure-change.ts";

/**
 * Reports a finding and remembers it by its name. One that is expected, or that was on the page lately, is only listed.
 * Each is judged once, however often the page contains it.
 */
export function reportOnce(
  { memory, judged, found }: StructureContext,
  item: string,
  address: string,
  change: StructureChange,
  isExpected = false,
): void {
  if (judged.has(item)) return;
  judged.add(item);
  if (isExpected || wasSeen(memory, item)) {
    const why = decidedBy(isVendor(hostOf(address)) ? "tracking.vendor" : "alternating.source");
    found.ignored.push({ place: item, before: null, after: address.slice(0, 500), why });
  } else {
    found.alarmed.push(item);
    found.changes.push(change);
  }
}
