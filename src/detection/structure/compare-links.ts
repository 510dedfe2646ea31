import type { Link, Page } from "../extract-page.ts";
import { resolve } from "../html/resolve.ts";
import { hostItem, hostOf } from "../noise/hosts.ts";
import { isSpam } from "../noise/mask-text.ts";
import { maskUrl } from "../noise/urls.ts";
import { type NoiseMemory, wasSeen } from "../noise-memory.ts";
import type { ReasonKind, Severity } from "../verdict.ts";
import type { KnownHosts } from "./known-hosts.ts";
import type { StructureComparison } from "./structure-change.ts";

/** Finds links that lead elsewhere than before, and links no reader sees. */
export function compareLinks(
  older: Page,
  newer: Page,
  known: KnownHosts,
  memory: NoiseMemory,
  found: StructureComparison,
): void {
  const oldTargets = new Set(older.links.map((link) => target(link, older)));
  const newPairs = new Set(newer.links.map((link) => `${target(link, newer)}\n${link.text}`));
  const lost = new Map<string, Link>();
  for (const link of older.links) {
    if (!newPairs.has(`${target(link, older)}\n${link.text}`) && !lost.has(link.text))
      lost.set(link.text, link);
  }
  const reported = new Set<string>();
  const report = (
    kind: ReasonKind,
    severity: Severity,
    summary: string,
    link: Link,
    before: string | null,
  ) => {
    const key = `${summary}\n${link.href}`;
    if (reported.has(key)) return;
    reported.add(key);
    const { area: where, place } = link;
    found.changes.push({ kind, severity, summary, where, place, before, after: link.href });
  };
  for (const link of newer.links) {
    const now = target(link, newer);
    if (oldTargets.has(now)) continue;
    if (wasSeen(memory, `target ${now}`)) continue;
    const host = hostOf(link.href);
    const isNew = known.isNewTarget(link.href) && !wasSeen(memory, hostItem("link", link.href));
    const before = link.text === "" ? undefined : lost.get(link.text);
    const label = `“${link.text.slice(0, 60)}”`;
    if (isNew) found.alarmed.push(hostItem("link", link.href));
    if (link.hidden !== "" && (isNew || (isSpam(link.text) && host !== ""))) {
      report("hidden-text", "critical", `Hidden link to ${host}`, link, null);
    } else if (before && isNew) {
      report("link", "important", `Link ${label} leads to ${host}`, link, before.href);
    } else if (before && isContact(link) && isContact(before)) {
      const to = now.replace(/^\w+:/, "").split("?")[0];
      const kind = isMail(link) ? "Mail" : "Telephone";
      report("link", "important", `${kind} link now goes to ${to}`, link, before.href);
      found.alarmed.push(`target ${now}`);
    } else if (before && isContent(link) && !/^\s*(?:javascript|#)/i.test(link.href)) {
      report("link", "notice", `Link ${label} leads elsewhere`, link, before.href);
      found.alarmed.push(`target ${now}`);
    } else if (isNew && (link.text !== "" || link.zone !== "advertisement")) {
      report("link", "notice", `New link to ${host}`, link, null);
    }
  }
}

function isContact(link: Link): boolean {
  return isMail(link) || /^(?:tel|sms):/i.test(link.href);
}

function isMail(link: Link): boolean {
  return /^mailto:/i.test(link.href) || link.href.includes("/cdn-cgi/l/email-protection#");
}

function isContent(link: Link): boolean {
  return link.zone === "" && (link.area === "main" || link.area === "");
}

/** Where a link leads. Behind a plain path the query carries campaigns; only a script is asked by it. */
function target(link: Link, page: Page): string {
  if (/^(?:#|javascript:)/i.test(link.href)) return maskUrl(link.href);
  const address = maskUrl(resolve(link.href, page.base));
  const [path = "", query = ""] = address.split("?", 2);
  return query === "" || /\.(?:php|aspx?|jsp|do|cgi|pl)$|^\/\/[^/]*$/i.test(path) ? address : path;
}
