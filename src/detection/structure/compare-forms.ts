import { diffLines } from "../diff-lines.ts";
import { hostItem, hostOf, isVendor, registrable } from "../noise/hosts.ts";
import { isFrame } from "../noise/text-key.ts";
import { maskTokens } from "../noise/tokens.ts";
import { maskUrl } from "../noise/urls.ts";
import { type NoiseMemory, wasSeen } from "../noise-memory.ts";
import type { Form, Page } from "../page.ts";
import type { Severity } from "../verdict.ts";
import { passedOver } from "./compare-scripts.ts";
import type { KnownHosts } from "./known-hosts.ts";
import type { StructureComparison } from "./structure-change.ts";

/** Finds forms that send to someone new, begin to ask for a password, or ask or send otherwise than before. */
export function compareForms(
  older: Page,
  newer: Page,
  known: KnownHosts,
  { changes }: StructureComparison,
): void {
  const tell = (form: Form, severity: Severity, summary: string, before: string | null, after: string) => {
    const { area: where, place } = form;
    changes.push({ kind: "form", severity, summary, where, place, before, after });
  };
  const told = new Set<Form>();
  const oldTargets = new Set(older.forms.map((form) => registrable(hostOf(form.action))));
  for (const form of newer.forms) {
    const host = hostOf(form.action);
    if (known.isItself(host) || oldTargets.has(registrable(host)) || (form.zone !== "" && isVendor(host)))
      continue;
    oldTargets.add(registrable(host));
    told.add(form);
    tell(form, "critical", `Form sends to ${host}`, null, form.action);
  }
  const asking = newer.forms.find(asksPassword);
  if (asking && !older.forms.some(asksPassword)) {
    const host = hostOf(asking.action);
    const isStrange = !known.isItself(host);
    const to = isStrange ? ` and sends it to ${host}` : "";
    tell(
      asking,
      isStrange ? "critical" : "important",
      `New form asks for a password${to}`,
      null,
      asking.action,
    );
  }
  for (const [before, after] of changedForms(older.forms, newer.forms)) {
    if (told.has(after)) continue;
    const severity = after.zone !== "" || isFrame(after.area) || after.hidden !== "" ? "info" : "notice";
    if (maskUrl(before.action) !== maskUrl(after.action))
      tell(after, severity, "Form sends elsewhere", before.action, after.action);
    else if (before.method !== after.method)
      tell(after, severity, `Form is now sent by ${after.method}`, before.method, after.method);
    else tell(after, severity, `Form now asks for ${asked(after)}`, asked(before), asked(after));
  }
}

/** Forms that stood and differ: paired in order by where they send, else by what they ask. */
function* changedForms(old: Form[], now: Form[]): Generator<[Form, Form]> {
  const key = (form: Form) => `${maskUrl(form.action)} ${form.method} ${asked(form)}`;
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(old.map(key), now.map(key))) {
    const removed = old.slice(oldStart, oldStart + oldCount);
    const added = now.slice(newStart, newStart + newCount);
    for (const before of removed) {
      const byTarget = added.findIndex((after) => maskUrl(after.action) === maskUrl(before.action));
      const at = byTarget >= 0 ? byTarget : added.findIndex((after) => asked(after) === asked(before));
      const [after] = at < 0 ? [] : added.splice(at, 1);
      if (after) yield [before, after];
    }
  }
}

/** What a form asks a person for; hidden fields carry tokens. */
function asked({ inputs }: Form): string {
  return inputs
    .filter(({ type }) => !["hidden", "submit", "button", "reset", "image"].includes(type))
    .map(({ name, type }) => maskTokens(name) || type)
    .join(", ");
}

function asksPassword(form: Form): boolean {
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
