import type { TextBlock } from "../snapshot/snapshot.ts";
import { isScopeHeading, isTarget } from "./scope-entry.ts";

/** A host that a bug bounty program has in its scope. */
export type ScopeTarget = { host: string; subdomains: boolean };

const maxTargets = 500;

/**
 * Lists the hosts that a page or file has in scope: below headings that say so, or all of them if none says so. What is
 * below "out of scope" is left out.
 */
export function listTargets(blocks: readonly Pick<TextBlock, "role" | "text">[]): ScopeTarget[] {
  const hasHeading = blocks.some(({ role, text }) => role === "heading" && isScopeHeading(text) === "in");
  const targets = new Map<string, ScopeTarget>();
  let isIn = !hasHeading;
  for (const { role, text } of blocks) {
    const heading = role === "heading" ? isScopeHeading(text) : null;
    if (role === "heading") isIn = heading === "in" || (heading === null && !hasHeading);
    for (const line of text.split("\n"))
      if (isIn && isTarget(line.trim()) && targets.size < maxTargets) {
        const target = toTarget(line.trim());
        const known = target && targets.get(target.host);
        if (target)
          targets.set(target.host, {
            ...target,
            subdomains: target.subdomains || known?.subdomains === true,
          });
      }
  }
  return [...targets.values()];
}

function toTarget(entry: string): ScopeTarget | null {
  const bare = entry.replace(/^https?:\/\//i, "");
  const url = URL.parse(`https://${bare.replace(/^\*\./, "")}`);
  return url && { host: url.hostname, subdomains: bare.startsWith("*.") };
}
