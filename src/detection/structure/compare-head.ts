import { resolve } from "../html/resolve.ts";
import { hostOf, registrable } from "../noise/hosts.ts";
import { maskText } from "../noise/mask-text.ts";
import { maskUrl } from "../noise/urls.ts";
import type { Page } from "../page.ts";
import { localeSwap } from "./locale-swap.ts";
import type { StructureChange, StructureComparison } from "./structure-change.ts";

// Meta elements that speak to readers or crawlers; the others serve the page's own machinery.
const telling = ["description", "generator", "og:title", "og:description"];
// What search engines are told to leave out, and what shops tell machines of their goods.
const weighty =
  /^(?:robots|googlebot|(?:og|product):(?:price:amount|price:currency|availability)|og:availability)$/;
const addresses = ["canonical", "og:url"];

/** Finds what differs in the head: title, telling meta elements, where the page sends its reader or its links. */
export function compareHead(older: Page, newer: Page, { changes }: StructureComparison): void {
  if (titleKey(older.title) !== titleKey(newer.title)) {
    changes.push({
      kind: "title",
      severity: "notice",
      summary: `Title is now “${newer.title.slice(0, 80)}”`,
      where: "head",
      before: older.title,
      after: newer.title,
    });
  }
  const names = new Set(
    [...older.metas, ...newer.metas].map(({ name }) => name).filter((name) => weighty.test(name)),
  );
  for (const name of [...telling, ...names]) {
    const before = metaOf(older, name);
    const after = metaOf(newer, name);
    if (metaKey(before) === metaKey(after)) continue;
    changes.push({
      kind: "meta",
      severity: names.has(name) ? "notice" : "info",
      summary: names.has(name)
        ? `Meta ${name} is now “${(after ?? "").slice(0, 80)}”`
        : `Meta ${name} changed`,
      where: "head",
      place: name,
      before,
      after,
    });
  }
  for (const name of addresses) compareAddress(older, newer, name, changes);
  compareShared(older, newer, changes);
  compareRefreshes(older, newer, "refreshes", changes);
  compareRefreshes(older, newer, "scriptlessRefreshes", changes);
  if (registrable(hostOf(older.base)) !== registrable(hostOf(newer.base)) && hostOf(newer.base) !== "") {
    changes.push({
      kind: "link",
      severity: "critical",
      summary: `Base address now ${hostOf(newer.base)}`,
      where: "head",
      before: older.base,
      after: newer.base,
    });
  }
}

/** Where search engines and those who share the page are sent. */
function compareAddress(older: Page, newer: Page, name: string, changes: StructureChange[]): void {
  const [before, after] = [metaOf(older, name), metaOf(newer, name)];
  if (!after) return;
  const [from, to] = [resolve(before ?? older.base, older.base), resolve(after, newer.base)];
  if (before === null && registrable(hostOf(from)) === registrable(hostOf(to))) return;
  if (maskUrl(from) === maskUrl(to)) return;
  const isStrange = registrable(hostOf(from)) !== registrable(hostOf(to));
  changes.push({
    kind: "meta",
    severity: isStrange ? "important" : localeSwap(maskUrl(from), maskUrl(to)) === null ? "notice" : "info",
    summary: `${name === "canonical" ? "Canonical address" : "Shared address"} is now ${after.slice(0, 120)}`,
    where: "head",
    place: name,
    before,
    after,
  });
}

/** The picture that goes with the page where it is shared: whose it is. Which one it is changes with every article. */
function compareShared(older: Page, newer: Page, changes: StructureChange[]): void {
  const [before, after] = [metaOf(older, "og:image"), metaOf(newer, "og:image")];
  if (!before || !after) return;
  const [from, to] = [hostOf(resolve(before, older.base)), hostOf(resolve(after, newer.base))];
  if (registrable(from) === registrable(to)) return;
  const [severity, summary] = ["notice", `Shared picture is now from ${to}`] as const;
  changes.push({ kind: "meta", severity, summary, where: "head", place: "og:image", before, after });
}

function metaKey(content: string | null): string {
  return maskText(content ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .join(",");
}

/** A browser follows each of them: one that only reloads the page does not hide another. */
function compareRefreshes(
  older: Page,
  newer: Page,
  which: "refreshes" | "scriptlessRefreshes",
  changes: StructureChange[],
): void {
  const known = new Set(older[which].map((content) => maskUrl(refreshTarget(content))));
  const after = newer[which].find((content) => {
    const to = refreshTarget(content);
    return to !== "" && !known.has(maskUrl(to));
  });
  if (after === undefined) return;
  const to = refreshTarget(after);
  const isOwn = registrable(hostOf(to) || hostOf(newer.base)) === registrable(hostOf(newer.base));
  // Sites that need scripts send who has none to a page of their own that says so.
  const isHarmless = which === "scriptlessRefreshes" && isOwn;
  changes.push({
    kind: "refresh",
    severity: isHarmless ? "info" : "critical",
    summary: `Page now leads to ${hostOf(to) || to}${isHarmless ? " where scripts are off" : ""}`,
    where: "head",
    before: older[which][0] ?? null,
    after,
  });
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
