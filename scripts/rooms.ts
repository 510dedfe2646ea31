// The rooms table of docs/architecture.md: which room may import which, and which packages a pure room may use.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { findCycles } from "./find-circles.ts";

const allowedRooms: Record<string, string[]> = {
  detection: [],
  contract: ["detection"],
  "alert-conditions": ["detection", "contract"],
  network: [],
  images: [],
  zip: ["contract"],
  "worker-threads": ["contract"],
  storage: ["detection", "contract", "images"],
  "live-events": ["contract", "storage"],
  queue: ["storage"],
  "request-limits": ["contract", "storage"],
  "host-limits": ["contract", "storage"],
  "group-defaults": ["detection", "contract", "storage"],
  scheduling: ["storage", "live-events", "queue", "host-limits"],
  plans: ["contract", "storage", "scheduling"],
  "page-steps": ["contract"],
  capture: ["detection", "contract", "network", "page-steps"],
  proxies: ["contract", "network", "storage", "capture"],
  mail: ["contract", "storage", "queue", "request-limits"],
  "message-templates": ["contract"],
  channels: ["contract", "network", "storage", "mail", "message-templates"],
  accounts: ["contract", "storage", "queue", "request-limits", "mail"],
  audit: ["contract", "storage", "accounts", "jobs"],
  evidence: ["detection", "contract", "network", "images", "zip", "storage", "queue", "mail"],
  "page-index": ["contract", "storage", "queue"],
  retention: ["storage", "queue", "evidence", "page-index"],
  billing: ["contract", "storage", "live-events", "queue", "plans", "mail"],
  "page-requests": ["contract", "storage", "group-defaults", "page-steps", "capture", "message-templates"],
  identities: [
    "contract",
    "storage",
    "queue",
    "request-limits",
    "group-defaults",
    "plans",
    "page-steps",
    "capture",
    "page-requests",
  ],
  "live-view": ["contract", "network", "storage", "request-limits", "plans", "capture", "identities"],
  sites: [
    "detection",
    "contract",
    "network",
    "storage",
    "live-events",
    "queue",
    "host-limits",
    "group-defaults",
    "scheduling",
    "capture",
    "proxies",
    "page-requests",
  ],
  checks: [
    "detection",
    "contract",
    "alert-conditions",
    "worker-threads",
    "storage",
    "live-events",
    "queue",
    "host-limits",
    "group-defaults",
    "scheduling",
    "capture",
    "proxies",
    "evidence",
    "page-index",
    "retention",
    "page-requests",
    "sites",
    "identities",
  ],
  "search-alerts": ["detection", "contract", "storage", "page-index", "checks"],
  jobs: [
    "detection",
    "contract",
    "alert-conditions",
    "worker-threads",
    "storage",
    "live-events",
    "group-defaults",
    "scheduling",
    "plans",
    "message-templates",
    "page-steps",
    "proxies",
    "checks",
    "identities",
  ],
  "site-rules": ["detection", "contract", "storage", "queue", "plans", "jobs", "sites"],
  history: [
    "detection",
    "contract",
    "alert-conditions",
    "images",
    "storage",
    "group-defaults",
    "channels",
    "evidence",
    "checks",
    "jobs",
  ],
  previews: [
    "contract",
    "capture",
    "storage",
    "queue",
    "request-limits",
    "group-defaults",
    "plans",
    "page-requests",
    "proxies",
    "scheduling",
    "checks",
    "jobs",
    "history",
    "identities",
    "page-steps",
  ],
  "noise-feedback": [
    "detection",
    "contract",
    "storage",
    "group-defaults",
    "message-templates",
    "checks",
    "history",
  ],
  incidents: ["detection", "contract", "storage", "queue", "checks", "noise-feedback"],
  dashboard: ["contract", "storage", "checks"],
  feeds: ["contract", "storage", "history"],
  "import-export": [
    "detection",
    "contract",
    "alert-conditions",
    "zip",
    "worker-threads",
    "storage",
    "group-defaults",
    "message-templates",
    "page-steps",
    "evidence",
    "search-alerts",
    "checks",
    "jobs",
    "site-rules",
  ],
  "second-opinion": ["detection", "contract", "network", "storage", "live-events", "queue", "group-defaults"],
  alerts: [
    "detection",
    "contract",
    "images",
    "storage",
    "queue",
    "request-limits",
    "group-defaults",
    "message-templates",
    "channels",
    "checks",
    "jobs",
    "history",
    "noise-feedback",
    "live-events",
    "incidents",
  ],
  "channel-settings": ["contract", "storage", "plans", "message-templates", "channels", "accounts", "alerts"],
  triggers: [
    "contract",
    "network",
    "storage",
    "queue",
    "message-templates",
    "channels",
    "checks",
    "jobs",
    "history",
    "alerts",
  ],
  "telegram-bot": [
    "contract",
    "network",
    "storage",
    "request-limits",
    "plans",
    "mail",
    "message-templates",
    "channels",
    "checks",
    "jobs",
    "noise-feedback",
    "alerts",
  ],
  sharing: ["detection", "contract", "storage", "checks", "history"],
  reports: [
    "detection",
    "contract",
    "storage",
    "live-events",
    "queue",
    "plans",
    "mail",
    "message-templates",
    "evidence",
    "checks",
    "history",
    "alerts",
    "sharing",
  ],
  digests: ["contract", "storage", "queue", "message-templates", "alerts"],
  client: ["contract"],
  mcp: ["contract", "client"],
  cli: ["contract", "client", "mcp"],
  server: [
    "contract",
    "network",
    "storage",
    "live-events",
    "queue",
    "request-limits",
    "host-limits",
    "scheduling",
    "plans",
    "page-steps",
    "capture",
    "proxies",
    "mail",
    "channels",
    "accounts",
    "audit",
    "evidence",
    "page-index",
    "retention",
    "billing",
    "checks",
    "identities",
    "live-view",
    "jobs",
    "history",
    "previews",
    "sites",
    "site-rules",
    "noise-feedback",
    "dashboard",
    "feeds",
    "import-export",
    "alerts",
    "second-opinion",
    "search-alerts",
    "incidents",
    "channel-settings",
    "triggers",
    "telegram-bot",
    "sharing",
    "reports",
    "digests",
    "client",
    "mcp",
  ],
  web: ["detection", "contract", "alert-conditions", "page-steps", "client"],
};

/** Files that every room may import, because they import none of our code except each other. */
const openFiles = new Set([
  "accounts/api-key-scopes.ts",
  "accounts/password-rule.ts",
  "billing/test-cards.ts",
  "channels/channel-list.ts",
  "host-limits/parse-retry-after.ts",
  "message-templates/fill-dates.ts",
  "message-templates/placeholders.ts",
  "page-requests/user-headers.ts",
  "plans/plan-features.ts",
  "plans/plans.ts",
  "retention/policy.ts",
  "scheduling/timetable.ts",
  "storage/pack-bytes.ts",
  "triggers/presets.ts",
]);

/** Folders that group a room's files by feature; other rooms may import their files. All other folders are private. */
const features = new Set([
  "detection/bug-bounty-scope",
  "capture/failures",
  "checks/detection-threads",
  "capture/plain-http",
  "detection/change-summaries",
  "detection/file-formats",
  "detection/followed-values",
  "detection/frequent-changes",
  "detection/hacked-pages",
  "detection/html-formatting",
  "detection/picture-comparison",
  "detection/line-and-word-diff",
  "detection/noise-memory",
  "detection/selectors-and-ignore-rules",
  "detection/security-findings",
  "detection/severity",
  "detection/site-pages",
  "detection/snapshot",
  "detection/text-lookup",
  "detection/spaces-and-invisible-characters",
  "detection/third-party-hosts",
  "detection/verdict",
  "evidence/verify",
  "history/test-on-history",
  "import-export/account-archive",
  "network/address-rules",
  "storage/backup",
  "storage/encryption",
  "storage/migrations",
]);

const webLayers: Record<string, string[]> = {
  ui: ["ui"],
  api: ["api", "ui"],
  features: ["ui", "api"],
  app: ["ui", "api", "features", "app"],
};

const purePackages: Record<string, RegExp> = {
  detection: /^(htmlparser2|acorn|css-select|css-what|fontoxpath|json-p3|re2js|tldts)(\/|$)/,
  contract: /^zod(\/|$)/,
};

const importPattern =
  /^\s*(?:import|export)\s(?:[\w*{}\s,$]+?\sfrom\s)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Lists every import that isn't allowed. */
export function findBreaches(root: string): string[] {
  const breaches: string[] = [];
  const used = new Set<string>();
  const importsInRoom = new Map<string, string[]>();
  for (const path of filesBelow(join(root, "src"))) {
    const file = relative(join(root, "src"), path);
    const room = file.split("/")[0] ?? "";
    const allowed = allowedRooms[room];
    if (!allowed) {
      breaches.push(`src/${file}: no room is called ${room}`);
      continue;
    }
    const isTest = /\.test\.tsx?$|\/testing\//.test(file);
    const roomImports: string[] = [];
    importsInRoom.set(file, roomImports);
    for (const match of readFileSync(path, "utf8").matchAll(importPattern)) {
      const wanted = match[1] ?? match[2] ?? "";
      if (!isTest) used.add(`${room} ${wanted.slice(1).split("/")[0]}`);
      const problem =
        openFiles.has(file) && /^[#.]/.test(wanted) && !openFiles.has(resolveImport(file, wanted))
          ? "is open to every room, and may only import open files"
          : judge(file, room, allowed, wanted, isTest);
      if (problem) breaches.push(`src/${file}: ${wanted}: ${problem}`);
      if (wanted.startsWith(".")) roomImports.push(join(file, "..", wanted));
      else if (wanted.startsWith(`#${room}/`)) roomImports.push(wanted.slice(1));
    }
  }
  // Type imports count too: two files that need each other's types should be one file, or share a third.
  for (const circle of findCycles(importsInRoom)) breaches.push(`src/${circle.join(" → ")}: a circle`);
  for (const [room, others] of Object.entries(allowedRooms)) {
    for (const other of others) {
      if (!used.has(`${room} ${other}`)) breaches.push(`scripts/rooms.ts: ${room} does not use ${other}`);
    }
  }
  return breaches;
}

/** The imported file, relative to src. */
function resolveImport(file: string, wanted: string): string {
  return wanted.startsWith("#") ? wanted.slice(1) : join(file, "..", wanted);
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
    if (isTest || openFiles.has(wanted.slice(1))) return undefined;
    if (!allowed.includes(target ?? "")) return `${room} may not import ${target}`;
    if (rest.length > 1 && !(rest.length === 2 && features.has(`${target}/${rest[0]}`)))
      return `${target}/${rest[0]} is private`;
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
