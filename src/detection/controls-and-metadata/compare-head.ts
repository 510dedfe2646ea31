import { quoteStart } from "../change-summaries/quote.ts";
import type { StructureChange, StructureContext } from "../html-comparison/structure-change.ts";
import type { Page } from "../html-parsing/page.ts";
import { resolve } from "../html-parsing/resolve.ts";
import { localeSwap } from "../links-and-forms/locale-swap.ts";
import { maskUrl } from "../noise/urls.ts";
import { wasSeen } from "../noise-memory/noise-memory.ts";
import { maskText } from "../noise-rules/mask-rules.ts";
import { type Severity, severityOf } from "../severity/severity.ts";
import { hostItem, hostOf, registrable } from "../third-party-hosts/hosts.ts";

// Meta elements meant for readers or crawlers; the others serve the page's own code.
const informative = ["description", "generator", "og:title", "og:description"];
// What search engines should leave out, and what shops publish about their goods for machines.
const important =
  /^(?:robots|googlebot|(?:og|product):(?:price:amount|price:currency|availability)|og:availability)$/;
const addresses = ["canonical", "og:url"];

type Values = Pick<StructureChange, "before" | "after">;

/** One difference in the head; `others` are its location and whether it is quiet. */
function inHead(
  kind: "title" | "meta" | "refresh" | "link",
  severity: Severity,
  summary: string,
  { before, after }: Values,
  others: Partial<StructureChange> = {},
): StructureChange {
  return { kind, severity, summary, where: "head", ...others, before, after };
}

/** Finds differences in the head: title, informative meta elements, and where the page sends its readers or links. */
export function compareHead(context: StructureContext): void {
  const { older, newer, found } = context;
  const { changes } = found;
  if (titleKey(older.title) !== titleKey(newer.title)) {
    const titles = { before: older.title, after: newer.title };
    const summary = `Title is now ${quoteStart(newer.title, 80)}`;
    changes.push(inHead("title", severityOf.titleChanged, summary, titles));
  }
  compareMetas(older, newer, changes);
  for (const name of addresses) compareAddress(context, name);
  compareSharedPicture(context);
  for (const field of ["refreshes", "scriptlessRefreshes"] as const) compareRefreshes(context, field);
  const [from, to] = [hostOf(older.base), hostOf(newer.base)];
  if (registrable(from) !== registrable(to) && to !== "") {
    const bases = { before: older.base, after: newer.base };
    changes.push(inHead("link", severityOf.baseAddressOnOtherSite, `Base address now ${to}`, bases));
  }
}

function compareMetas(older: Page, newer: Page, changes: StructureChange[]): void {
  const names = new Set(informative);
  for (const { name } of [...older.metas, ...newer.metas]) if (important.test(name)) names.add(name);
  for (const place of names) {
    const values = { before: metaOf(older, place), after: metaOf(newer, place) };
    if (metaKey(values.before) === metaKey(values.after)) continue;
    const isDecisive = important.test(place);
    const severity = isDecisive ? severityOf.decisiveMetaChanged : severityOf.metaChanged;
    const state = isDecisive ? `is now ${quoteStart(values.after ?? "", 80)}` : "changed";
    const others = isDecision(place, values) ? { place } : { place, quiet: true as const };
    changes.push(inHead("meta", severity, `Meta ${place} ${state}`, values, others));
  }
}

/** Compares where search engines and people who share the page are sent. */
function compareAddress({ older, newer, memory, found }: StructureContext, place: string): void {
  const [before, after] = [metaOf(older, place), metaOf(newer, place)];
  if (!after) return;
  const [from, to] = [resolve(before ?? older.base, older.base), resolve(after, newer.base)];
  if (before === null && registrable(hostOf(from)) === registrable(hostOf(to))) return;
  if (maskUrl(from) === maskUrl(to)) return;
  // An address that goes back to the page's own site isn't on another one.
  const isForeign = [from, newer.base].every((one) => registrable(hostOf(one)) !== registrable(hostOf(to)));
  // What was alerted once is known when it comes back.
  const isFinding = isForeign && !wasSeen(memory, hostItem("address", to));
  if (isFinding) found.alarmed.push(hostItem("address", to));
  const isLocale = !isForeign && localeSwap(maskUrl(from), maskUrl(to)) !== null;
  const known = isLocale ? severityOf.pageAddressSwitchedLocale : severityOf.pageAddressChanged;
  const severity = isFinding ? severityOf.pageAddressOnOtherSite : known;
  const summary = `${place === "canonical" ? "Canonical" : "Shared"} address is now ${after.slice(0, 120)}`;
  found.changes.push(inHead("meta", severity, summary, { before, after }, { place, quiet: true }));
}

/** Compares the host of the picture shown when the page is shared. The picture itself changes with every article. */
function compareSharedPicture({ older, newer, known, found }: StructureContext): void {
  const place = "og:image";
  const [before, after] = [metaOf(older, place), metaOf(newer, place)];
  if (!before || !after) return;
  const address = resolve(after, newer.base);
  const to = hostOf(address);
  if (registrable(hostOf(resolve(before, older.base))) === registrable(to)) return;
  const others = known.isNewTarget(address) ? { place } : { place, quiet: true as const };
  const summary = `Shared picture is now from ${to}`;
  found.changes.push(inHead("meta", severityOf.sharedPictureOnOtherSite, summary, { before, after }, others));
}

/** Whether somebody decided on it: a price, availability, or whether search engines may list the page. */
function isDecision(name: string, { before, after }: Values): boolean {
  const hides = (content: string | null) => /\b(?:noindex|none)\b/i.test(content ?? "");
  return /price|availability/.test(name) || hides(before) !== hides(after);
}

function metaKey(content: string | null): string {
  return maskText(content ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .join(",");
}

/** A browser follows every refresh, so one that only reloads the page must not hide another. */
function compareRefreshes(
  { older, newer, found }: StructureContext,
  field: "refreshes" | "scriptlessRefreshes",
): void {
  const known = new Set(older[field].map((content) => maskUrl(refreshTarget(content))));
  const after = newer[field].find((content) => {
    const to = refreshTarget(content);
    return to !== "" && !known.has(maskUrl(to));
  });
  if (after === undefined) return;
  const to = refreshTarget(after);
  const isOwn = registrable(hostOf(to) || hostOf(newer.base)) === registrable(hostOf(newer.base));
  // Sites that need scripts send browsers without them to a page of their own that says so.
  const isHarmless = field === "scriptlessRefreshes" && isOwn;
  const severity = isHarmless ? severityOf.newRefreshWithoutScripts : severityOf.newRefresh;
  const summary = `Page now leads to ${hostOf(to) || to}${isHarmless ? " where scripts are off" : ""}`;
  found.changes.push(inHead("refresh", severity, summary, { before: older[field][0] ?? null, after }));
}

function refreshTarget(content: string): string {
  return /^[\s\d.]*[;,\s]\s*(?:url\s*=\s*)?['"]?([^'"]+)/i.exec(content)?.[1]?.trim() ?? "";
}

/** Unread counts in front of a title are not part of it. */
function titleKey(title: string): string {
  return maskText(title.replace(/^\(\d+\+?\)\s*/, ""));
}

function metaOf(page: Page, name: string): string | null {
  return page.metas.find((meta) => meta.name === name)?.content ?? null;
}
