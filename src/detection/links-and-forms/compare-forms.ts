import { isBoilerplate } from "../boilerplate/is-boilerplate.ts";
import type { StructureComparison } from "../html-comparison/structure-change.ts";
import type { Form, Page } from "../html-parsing/page.ts";
import { diffLines } from "../line-and-word-diff/diff-lines.ts";
import { maskTokens } from "../noise/tokens.ts";
import { maskUrl } from "../noise/urls.ts";
import { type NoiseMemory, wasSeen } from "../noise-memory/noise-memory.ts";
import { passedOver } from "../scripts/compare-scripts.ts";
import { type Severity, severityOf } from "../severity/severity.ts";
import { hostItem, hostOf, isVendor, registrable } from "../third-party-hosts/hosts.ts";
import type { KnownHosts } from "../third-party-hosts/known-hosts.ts";

/** Finds forms that send to a new host, newly ask for a password, or changed their fields, target or method. */
export function compareForms(
  older: Page,
  newer: Page,
  known: KnownHosts,
  memory: NoiseMemory,
  { changes, ignored, alarmed }: StructureComparison,
): void {
  const report = (form: Form, severity: Severity, summary: string, before: string | null, after: string) => {
    const { area: where, place } = form;
    changes.push({ kind: "form", severity, summary, where, place, before, after });
  };
  const reported = new Set<Form>();
  const oldTargets = new Set(older.forms.map((form) => registrable(hostOf(form.action))));
  for (const form of newer.forms) {
    const host = hostOf(form.action);
    if (known.isOwnHost(host) || oldTargets.has(registrable(host)) || (form.zone !== "" && isVendor(host)))
      continue;
    oldTargets.add(registrable(host));
    const item = hostItem("form", form.action);
    if (wasSeen(memory, item)) {
      ignored.push(passedOver(item, form.action));
      continue;
    }
    alarmed.push(item);
    reported.add(form);
    report(form, severityOf.formSendsToNewHost, `Form sends to ${host}`, null, form.action);
  }
  const passwordForm = newer.forms.find(asksPassword);
  if (passwordForm && !older.forms.some(asksPassword)) {
    const item = passwordItem(passwordForm);
    if (wasSeen(memory, item)) ignored.push(passedOver(item, passwordForm.action));
    else {
      alarmed.push(item);
      const host = hostOf(passwordForm.action);
      const isForeign = !known.isOwnHost(host);
      const to = isForeign ? ` and sends it to ${host}` : "";
      const severity = isForeign ? severityOf.newPasswordFormSendsToOtherHost : severityOf.newPasswordForm;
      report(passwordForm, severity, `New form asks for a password${to}`, null, passwordForm.action);
    }
  }
  for (const [before, after] of changedForms(older.forms, newer.forms)) {
    if (reported.has(after)) continue;
    const isOutside = after.zone !== "" || isBoilerplate(after.area) || after.hidden !== "";
    const severity = isOutside ? severityOf.formOutsideContentChanged : severityOf.formChanged;
    if (maskUrl(before.action) !== maskUrl(after.action))
      report(after, severity, "Form sends elsewhere", before.action, after.action);
    else if (before.method !== after.method)
      report(after, severity, `Form now uses ${after.method}`, before.method, after.method);
    else report(after, severity, `Form now asks for ${fieldsOf(after)}`, fieldsOf(before), fieldsOf(after));
  }
}

/** Forms that are on both pages but differ, paired in order by their target, or else by the fields they ask for. */
function* changedForms(old: Form[], now: Form[]): Generator<[Form, Form]> {
  const key = (form: Form) => `${maskUrl(form.action)} ${form.method} ${fieldsOf(form)}`;
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(old.map(key), now.map(key))) {
    const removed = old.slice(oldStart, oldStart + oldCount);
    const added = now.slice(newStart, newStart + newCount);
    for (const before of removed) {
      const byTarget = added.findIndex((after) => maskUrl(after.action) === maskUrl(before.action));
      const at = byTarget >= 0 ? byTarget : added.findIndex((after) => fieldsOf(after) === fieldsOf(before));
      const [after] = at < 0 ? [] : added.splice(at, 1);
      if (after) yield [before, after];
    }
  }
}

/** The fields that a form asks a person for; hidden fields only carry tokens. */
function fieldsOf({ inputs }: Form): string {
  return inputs
    .filter(({ type }) => !["hidden", "submit", "button", "reset", "image"].includes(type))
    .map(({ name, type }) => maskTokens(name) || type)
    .join(", ");
}

/** The name of a form that asks for a password in the noise memory. */
export function passwordItem({ action }: Form): string {
  return `password ${maskUrl(action)}`;
}

export function asksPassword(form: Form): boolean {
  return form.inputs.some((input) => input.type === "password");
}

/** Finds frames, embeds and objects from new hosts. */
export function compareFrames(
  older: Page,
  newer: Page,
  known: KnownHosts,
  memory: NoiseMemory,
  { changes, ignored, alarmed }: StructureComparison,
): void {
  const checked = new Set<string>();
  for (const { src, tag, place } of newer.frames) {
    const item = hostItem("frame", src);
    if (checked.has(item)) continue;
    checked.add(item);
    const holdsCode = /^(?:javascript|data):/i.test(src) && !older.frames.some((old) => old.src === src);
    if (holdsCode || (known.isNewSource(src) && !wasSeen(memory, item))) {
      if (!holdsCode) alarmed.push(item);
      changes.push({
        kind: "frame",
        severity: severityOf.newFrame,
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
