import { matchesPattern, patternPath } from "./address-pattern.ts";

/** What a host's robots.txt says to us. */
export type Robots = {
  rules: { allow: boolean; pattern: string }[];
  /** Seconds between two requests. */
  delay: number | null;
  sitemaps: string[];
};

const maxRules = 500;
const maxPattern = 256;
const maxSitemaps = 50;
/** What we are called in robots.txt. */
const ourToken = "watchglass";
export const allowAll: Robots = { rules: [], delay: null, sitemaps: [] };

/** Reads robots.txt as RFC 9309 says: the group that names us, else the one for all. */
export function readRobots(text: string): Robots {
  const sitemaps: string[] = [];
  const groups = new Map<string, Omit<Robots, "sitemaps">>();
  let current: Omit<Robots, "sitemaps">[] = [];
  let isNaming = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const [, field = "", value = ""] = /^\s*([a-z-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/i.exec(line) ?? [];
    const name = field.toLowerCase();
    if (name === "sitemap" && sitemaps.length < maxSitemaps) sitemaps.push(value);
    if (name === "user-agent") {
      if (!isNaming) current = [];
      isNaming = true;
      const agent = value.toLowerCase();
      const group = groups.get(agent) ?? { rules: [], delay: null };
      if (groups.size < maxRules) groups.set(agent, group);
      current.push(group);
    }
    if (name === "") continue;
    if (name !== "user-agent" && name !== "sitemap") isNaming = false;
    if ((name === "allow" || name === "disallow") && value !== "")
      for (const group of current)
        if (group.rules.length < maxRules)
          group.rules.push({ allow: name === "allow", pattern: value.slice(0, maxPattern) });
    if (name === "crawl-delay" && Number(value) > 0) for (const group of current) group.delay = Number(value);
  }
  const own = groups.get(ourToken) ?? groups.get("*") ?? { rules: [], delay: null };
  return { ...own, sitemaps };
}

/** The longest rule that matches decides; of two that are as long, the one that allows. */
export function isAllowedByRobots({ rules }: Pick<Robots, "rules">, address: string): boolean {
  const path = patternPath(address);
  let [length, allowed] = [-1, true];
  for (const { allow, pattern } of rules) {
    const isBetter = pattern.length > length || (pattern.length === length && allow);
    if (isBetter && matchesPattern(pattern, path)) [length, allowed] = [pattern.length, allow];
  }
  return allowed;
}
