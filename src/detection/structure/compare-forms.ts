import type { Page } from "../extract-page.ts";
import { hostItem, hostOf, isVendor, registrable } from "../noise/hosts.ts";
import { type NoiseMemory, wasSeen } from "../noise-memory.ts";
import { passedOver } from "./compare-scripts.ts";
import type { KnownHosts } from "./known-hosts.ts";
import type { StructureComparison } from "./structure-change.ts";

/** Finds forms that send to someone new or begin to ask for a password. */
export function compareForms(
  older: Page,
  newer: Page,
  known: KnownHosts,
  { changes }: StructureComparison,
): void {
  const oldTargets = new Set(older.forms.map((form) => registrable(hostOf(form.action))));
  for (const form of newer.forms) {
    const host = hostOf(form.action);
    if (known.isItself(host) || oldTargets.has(registrable(host)) || (form.zone !== "" && isVendor(host)))
      continue;
    oldTargets.add(registrable(host));
    changes.push({
      kind: "form",
      severity: "critical",
      summary: `Form sends to ${host}`,
      where: form.place,
      before: null,
      after: form.action,
    });
  }
  const asking = newer.forms.find(asksPassword);
  if (asking && !older.forms.some(asksPassword)) {
    changes.push({
      kind: "form",
      severity: "important",
      summary: "New form asks for a password",
      where: asking.place,
      before: null,
      after: asking.action,
    });
  }
}

function asksPassword(form: Page["forms"][number]): boolean {
  return form.inputs.some((input) => input.type === "password");
}

/** Finds frames, embeds and objects from someone new. */
export function compareFrames(
  older: Page,
  newer: Page,
  known: KnownHosts,
  memory: NoiseMemory,
  { changes, ignored, alarmed }: StructureComparison,
): void {
  const done = new Set<string>();
  for (const { src, tag, place } of newer.frames) {
    const item = hostItem("frame", src);
    if (done.has(item)) continue;
    done.add(item);
    const holdsCode = /^(?:javascript|data):/i.test(src) && !older.frames.some((old) => old.src === src);
    if (holdsCode || (known.isNewSource(src) && !wasSeen(memory, item))) {
      if (!holdsCode) alarmed.push(item);
      changes.push({
        kind: "frame",
        severity: "critical",
        summary: `New ${tag} from ${hostOf(src) || "an address that holds code"}`,
        where: place,
        before: null,
        after: src.slice(0, 500),
      });
    } else if (known.isForeignSource(src)) {
      ignored.push(passedOver(item, src));
    }
  }
}
