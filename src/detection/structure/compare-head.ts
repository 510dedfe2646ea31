import type { Page } from "../extract-page.ts";
import { hostOf, registrable } from "../noise/hosts.ts";
import { maskText } from "../noise/mask-text.ts";
import { maskUrl } from "../noise/urls.ts";
import type { StructureChange, StructureComparison } from "./structure-change.ts";

// Meta elements that speak to readers or crawlers; the others serve the page's own machinery.
const telling = ["description", "robots", "generator"];

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
  for (const name of telling) {
    const before = metaOf(older, name);
    const after = metaOf(newer, name);
    if (maskText(before ?? "") === maskText(after ?? "")) continue;
    changes.push({
      kind: "meta",
      severity: "info",
      summary: `Meta ${name} changed`,
      where: "head",
      before,
      after,
    });
  }
  compareRefresh(older, newer, "refresh", changes);
  compareRefresh(older, newer, "scriptlessRefresh", changes);
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

function compareRefresh(
  older: Page,
  newer: Page,
  which: "refresh" | "scriptlessRefresh",
  changes: StructureChange[],
): void {
  const [from, to] = [refreshTarget(older[which]), refreshTarget(newer[which])];
  if (to === "" || maskUrl(to) === maskUrl(from)) return;
  const isOwn = registrable(hostOf(to) || hostOf(newer.base)) === registrable(hostOf(newer.base));
  // Sites that need scripts send who has none to a page of their own that says so.
  const isHarmless = which === "scriptlessRefresh" && isOwn;
  changes.push({
    kind: "refresh",
    severity: isHarmless ? "info" : "critical",
    summary: `Page now leads to ${hostOf(to) || to}${isHarmless ? " where scripts are off" : ""}`,
    where: "head",
    before: older[which],
    after: newer[which],
  });
}

function refreshTarget(content: string | null): string {
  return /^[\s\d.]*[;,\s]\s*(?:url\s*=\s*)?['"]?([^'"]+)/i.exec(content ?? "")?.[1]?.trim() ?? "";
}

/** Unread counts in front of a title are not part of it. */
function titleKey(title: string): string {
  return maskText(title.replace(/^\(\d+\+?\)\s*/, ""));
}

function metaOf(page: Page, name: string): string | null {
  return page.metas.find((meta) => meta.name === name)?.content ?? null;
}
