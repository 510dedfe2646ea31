import { isOutsideContent } from "../boilerplate/is-boilerplate.ts";
import { reportOnce } from "../html-comparison/report-once.ts";
import type { StructureChange, StructureContext } from "../html-comparison/structure-change.ts";
import type { Form } from "../html-parsing/page.ts";
import { subtract } from "../multisets.ts";
import { maskTokens } from "../noise/tokens.ts";
import { maskUrl } from "../noise/urls.ts";
import { type Severity, severityOf } from "../severity/severity.ts";
import { hostItem, hostOf, isVendor, registrable } from "../third-party-hosts/hosts.ts";

/** Finds forms that send to a new host, newly ask for a password, or changed their fields, target or method. */
export function compareForms(context: StructureContext): void {
  const { older, newer, known, found } = context;
  const toChange = (
    { area: where, place }: Form,
    severity: Severity,
    summary: string,
    before: string | null,
    after: string,
  ): StructureChange => ({ kind: "form", severity, summary, where, place, before, after });
  const judged = new Set<Form>();
  const oldTargets = new Set(older.forms.map((form) => registrable(hostOf(form.action))));
  for (const form of newer.forms) {
    const host = hostOf(form.action);
    if (known.isOwnHost(host) || oldTargets.has(registrable(host)) || (form.zone !== "" && isVendor(host)))
      continue;
    judged.add(form);
    const change = toChange(form, severityOf.formSendsToNewHost, `Form sends to ${host}`, null, form.action);
    reportOnce(context, hostItem("form", form.action), form.action, change);
  }
  const passwordForm = newer.forms.find(asksPassword);
  if (passwordForm && !older.forms.some(asksPassword)) {
    const { action } = passwordForm;
    const isForeign = !known.isOwnHost(hostOf(action));
    const summary = `New form asks for a password${isForeign ? ` and sends it to ${hostOf(action)}` : ""}`;
    const severity = isForeign ? severityOf.newPasswordFormSendsToOtherHost : severityOf.newPasswordForm;
    const change = toChange(passwordForm, severity, summary, null, action);
    reportOnce(context, passwordItem(passwordForm), action, change);
  }
  for (const [before, after] of changedForms(older.forms, newer.forms)) {
    if (judged.has(after)) continue;
    const isOutside = isOutsideContent(after) || after.hidden !== "";
    const severity = isOutside ? severityOf.formOutsideContentChanged : severityOf.formChanged;
    const [summary, old, now] =
      maskUrl(before.action) !== maskUrl(after.action)
        ? ["Form sends elsewhere", before.action, after.action]
        : before.method !== after.method
          ? [`Form now uses ${after.method}`, before.method, after.method]
          : [`Form now asks for ${fieldsOf(after)}`, fieldsOf(before), fieldsOf(after)];
    found.changes.push(toChange(after, severity, summary, old, now));
  }
}

/** Forms that are on both pages but differ, paired by their target, or else by the fields they ask for. */
function* changedForms(old: Form[], now: Form[]): Generator<[Form, Form]> {
  const key = (form: Form) => `${maskUrl(form.action)} ${form.method} ${fieldsOf(form)}`;
  const added = subtract(now, old, key);
  for (const before of subtract(old, now, key)) {
    const byTarget = added.findIndex((after) => maskUrl(after.action) === maskUrl(before.action));
    const at = byTarget >= 0 ? byTarget : added.findIndex((after) => fieldsOf(after) === fieldsOf(before));
    const [after] = at < 0 ? [] : added.splice(at, 1);
    if (after) yield [before, after];
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
export function compareFrames(context: StructureContext): void {
  const { older, newer, known, found } = context;
  for (const { src, tag, place: where } of newer.frames) {
    const holdsCode = /^(?:javascript|data):/i.test(src) && !older.frames.some((old) => old.src === src);
    const change: StructureChange = {
      kind: "frame",
      severity: severityOf.newFrame,
      summary: `New ${tag} from ${hostOf(src) || "an address that holds code"}`,
      where,
      before: null,
      after: src.slice(0, 500),
    };
    if (holdsCode) found.changes.push(change);
    else if (known.isForeignSource(src))
      reportOnce(context, hostItem("frame", src), src, change, isVendor(hostOf(src)));
  }
}
