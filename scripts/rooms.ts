// The rooms table of docs/architecture.md: which room may import which, and which packages a pure room may use.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { findCircles } from "./find-circles.ts";

const above: Record<string, string[]> = {
  detection: [],
  contract: ["detection"],
  network: [],
  storage: ["detection", "contract"],
  queue: ["contract", "storage"],
  capture: ["detection", "contract", "network"],
  delivery: ["contract", "network"],
  accounts: ["contract", "storage", "queue", "delivery"],
  billing: ["contract", "storage", "queue", "accounts"],
  checks: ["detection", "contract", "storage", "queue", "capture"],
  jobs: ["detection", "contract", "storage", "delivery", "checks"],
  history: ["detection", "contract", "storage", "delivery", "checks", "jobs"],
  alerts: ["contract", "storage", "queue", "delivery", "accounts", "checks", "jobs", "history"],
  reports: ["contract", "storage", "queue", "delivery", "accounts", "checks", "jobs", "history", "alerts"],
  client: ["contract"],
  agents: ["contract", "client"],
  cli: ["contract", "client", "agents"],
  server: [
    "contract",
    "client",
    "agents",
    "network",
    "storage",
    "queue",
    "capture",
    "delivery",
    "accounts",
    "billing",
    "checks",
    "jobs",
    "history",
    "alerts",
    "reports",
  ],
  web: ["contract", "detection"],
};

const webLayers: Record<string, string[]> = {
  ui: ["ui"],
  api: ["api", "ui"],
  features: ["ui", "api"],
  app: ["ui", "api", "features", "app"],
};

const purePackages: Record<string, RegExp> = {
  detection: /^(htmlparser2|acorn|css-select|css-what|fontoxpath|json-p3|re2js|tldts)(\/|$)/,
  contract: /^(croner|zod)(\/|$)/,
};

const importPattern =
  /^\s*(?:import|export)\s(?:[\w*{}\s,$]+?\sfrom\s)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Names every import that crosses a wall; an empty list means the house is in order. */
export function findBreaches(root: string): string[] {
  const breaches: string[] = [];
  const used = new Set<string>();
  const inside = new Map<string, string[]>();
  for (const path of filesBelow(join(root, "src"))) {
    const file = relative(join(root, "src"), path);
    const room = file.split("/")[0] ?? "";
    const allowed = above[room];
    if (!allowed) {
      breaches.push(`src/${file}: no room is called ${room}`);
      continue;
    }
    const isTest = /\.test\.tsx?$|\/testing\//.test(file);
    const neighbours: string[] = [];
    inside.set(file, neighbours);
    for (const match of readFileSync(path, "utf8").matchAll(importPattern)) {
      const wanted = match[1] ?? match[2] ?? "";
      if (!isTest) used.add(`${room} ${wanted.slice(1).split("/")[0]}`);
      const problem = judge(file, room, allowed, wanted, isTest);
      if (problem) breaches.push(`src/${file}: ${wanted}: ${problem}`);
      if (wanted.startsWith(".")) neighbours.push(join(file, "..", wanted));
      else if (wanted.startsWith(`#${room}/`)) neighbours.push(wanted.slice(1));
    }
  }
  // Types count too: two files that need each other's are one, or need a third.
  for (const circle of findCircles(inside)) breaches.push(`src/${circle.join(" → ")}: a circle`);
  for (const [room, others] of Object.entries(above)) {
    for (const other of others) {
      if (!used.has(`${room} ${other}`)) breaches.push(`scripts/rooms.ts: ${room} does not use ${other}`);
    }
  }
  return breaches;
}

function judge(
  file: string,
  room: string,
  allowed: string[],
  wanted: string,
  isTest: boolean,
): string | undefined {
  if (wanted.startsWith("#")) {
    const [target, ...rest] = wanted.slice(1).split("/");
    if (target === room) {
      return room === "web" ? judgeWeb(file, rest.join("/")) : "inside a room write ./file.ts";
    }
    if (isTest) return undefined;
    if (!allowed.includes(target ?? "")) return `${room} may not import ${target}`;
    if (rest.length > 1) return `${target}'s subfolders are private`;
    return undefined;
  }
  if (wanted.startsWith(".")) {
    const target = relative("/", join("/", file, "..", wanted));
    if (!target.startsWith(`${room}/`)) return "leaves the room; write #room/file.ts";
    return room === "web" ? judgeWeb(file, target.slice(4)) : undefined;
  }
  if (isTest) return undefined;
  const pure = purePackages[room];
  if (pure && !pure.test(wanted)) return `${room} may only use ${pure.source}`;
  return undefined;
}

function judgeWeb(file: string, target: string): string | undefined {
  const [, layer = "", feature] = file.split("/");
  const [targetLayer = "", targetFeature] = target.split("/");
  const allowed = webLayers[layer];
  if (!allowed) return undefined;
  if (layer === "features" && targetLayer === "features") {
    return feature === targetFeature ? undefined : "features do not import each other";
  }
  return allowed.includes(targetLayer) || !webLayers[targetLayer]
    ? undefined
    : `${layer} may not import ${targetLayer}`;
}

if (import.meta.main) {
  const breaches = findBreaches(process.cwd());
  for (const breach of breaches) console.log(breach);
  process.exit(breaches.length === 0 ? 0 : 1);
}
