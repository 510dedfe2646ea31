import { wasSeen } from "../noise-memory/noise-memory.ts";
import { decide } from "../noise-rules/noise-rule.ts";
import { sourceRules } from "../noise-rules/response-rules.ts";
import type { Ignored } from "../verdict/verdict.ts";
import type { StructureChange, StructureContext } from "./structure-change.ts";

/** Reports a finding and remembers it by its name; one that was on the page lately is only listed as back again. */
export function reportOnce(
  { memory, found }: StructureContext,
  item: string,
  address: string,
  change: StructureChange,
): void {
  if (wasSeen(memory, item)) found.ignored.push(passedOver(item, address));
  else {
    found.alarmed.push(item);
    found.changes.push(change);
  }
}

/** An ignored entry for a host that is a common service or known to the noise memory. */
export function passedOver(item: string, address: string): Ignored {
  const why = decide(sourceRules, { address, isKnown: true }) ?? "alternating";
  return { place: item, before: null, after: address.slice(0, 500), why };
}
