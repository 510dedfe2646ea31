import type { SitePage } from "./use-site.ts";

const reasons: Record<NonNullable<SitePage["notRequested"]>, string> = {
  robots: "Not requested: robots.txt asks for that",
  script: "Named in a script, not requested",
  endless: "Not requested: one of an endless series of pages",
  redirects: "Not requested: too many redirects",
  same: "The same page as another address",
};

const sources: Record<Exclude<SitePage["source"], "start">, string> = {
  scope: "the scope list",
  sitemap: "a sitemap",
  feed: "a feed",
  capture: "a capture",
  link: "a link",
  redirect: "a redirect",
  script: "a script",
};

/** What is special about a page, in words; "" for a page that answered and nothing else. */
export function describePage({ notRequested, problem, movedTo, status }: SitePage): string {
  if (notRequested) return reasons[notRequested];
  if (problem) return problem;
  if (movedTo) return `Moved to ${movedTo}`;
  return status === null ? "Not requested yet" : "";
}

/** How an address became known, and how far it is from the start. */
export function describeSource({ source, depth }: Pick<SitePage, "source" | "depth">): string {
  if (source === "start") return "the start address";
  return `found by ${sources[source]}, ${depth === 1 ? "1 step" : `${depth} steps`} from the start`;
}
