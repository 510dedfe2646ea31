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

type Group = Omit<Robots, "sitemaps">;

/** Reads robots.txt as RFC 9309 says, in linear time: the group that names us, else the one for all. */
export function readRobots(text: string): Robots {
  const sitemaps: string[] = [];
  const groups = new Map<string, Group>();
  const current = new Set<Group>();
  let isNaming = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const [name, value] = fieldOf(line);
    if (name === "sitemap" && sitemaps.length < maxSitemaps) sitemaps.push(value);
    if (name === "" || name === "sitemap") continue;
    if (name !== "user-agent") isNaming = false;
    else if (!isNaming) {
      current.clear();
      isNaming = true;
    }
    if (name === "user-agent") {
      const agent = value.toLowerCase();
      // What is asked of others is nothing to us.
      if (agent !== ourToken && agent !== "*") continue;
      const group = groups.get(agent) ?? { rules: [], delay: null };
      groups.set(agent, group);
      current.add(group);
    }
    for (const group of current) addLine(group, name, value);
  }
  const own = groups.get(ourToken) ?? groups.get("*") ?? { rules: [], delay: null };
  return { ...own, sitemaps };
}

function addLine(group: Group, name: string, value: string): void {
  const isRule = (name === "allow" || name === "disallow") && value !== "";
  if (isRule && group.rules.length < maxRules)
    group.rules.push({ allow: name === "allow", pattern: value.slice(0, maxPattern) });
  if (name === "crawl-delay" && Number(value) > 0) group.delay = Number(value);
}

/** The name of a line's field, in small letters, and its value; both empty if the line says nothing. */
function fieldOf(line: string): [name: string, value: string] {
  const [text = ""] = line.split("#", 1);
  const colon = text.indexOf(":");
  return colon === -1 ? ["", ""] : [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()];
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
