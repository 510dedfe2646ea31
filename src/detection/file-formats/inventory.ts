import type { ContentDifferences, Difference } from "./content-difference.ts";

/** One address of a site, as the site's capture keeps it. */
export type InventoryLine = {
  address: string;
  /** The status that the server answered, or why the address wasn't requested. */
  state: number | "script" | "robots";
  /** Where it leads, if the answer was a redirect. */
  movedTo: string | null;
  title: string;
  scriptHosts: readonly string[];
};

const notRequested: Record<string, string> = {
  script: "named in a script, not requested",
  robots: "not requested, as robots.txt asks",
};
const line = /^(https?:\/\/\S+)\t(\d{3}|script|robots)(?: → (\S+))?\t([^\t]*)\t(\S*)$/;
// What other files look like is decided by their first lines.
const maxSniffed = 20;

/** Writes the inventory of a site as text, one line per address. */
export function writeInventory(lines: readonly InventoryLine[]): string {
  return lines
    .map(({ address, state, movedTo, title, scriptHosts }) =>
      [
        address,
        movedTo === null ? state : `${state} → ${movedTo}`,
        title.replace(/\s/g, " "),
        scriptHosts.join(","),
      ].join("\t"),
    )
    .join("\n");
}

/** Whether a text is an inventory, or what a job's rules left of one. */
export const isInventory = (text: string): boolean =>
  text.split("\n", maxSniffed).every((each) => line.test(each));

export function readInventory(text: string): InventoryLine[] {
  return text.split("\n").flatMap((each) => {
    const [, address, state = "", movedTo = null, title = "", hosts = ""] = line.exec(each) ?? [];
    if (address === undefined) return [];
    return [
      {
        address,
        state: state === "script" || state === "robots" ? state : Number(state),
        movedTo,
        title,
        scriptHosts: hosts === "" ? [] : hosts.split(","),
      },
    ];
  });
}

/** Compares two inventories: what appeared, vanished and changed, and which hosts the site's scripts come from. */
export function compareInventories(before: string, after: string): ContentDifferences {
  const [old, now] = [readInventory(before), readInventory(after)];
  const byAddress = new Map(old.map((entry) => [entry.address, entry]));
  const addresses = new Set(now.map(({ address }) => address));
  const [oldHosts, nowHosts] = [countHosts(old), countHosts(now)];
  const isKnownHost = (host: string) => oldHosts.has(host) && nowHosts.has(host);
  const found = [
    ...compareScriptHosts(oldHosts, nowHosts),
    ...now.flatMap((entry) => {
      const known = byAddress.get(entry.address);
      return known
        ? [...compareEntry(known, entry), ...compareScripts(known, entry, isKnownHost)]
        : [appeared(entry)];
    }),
    ...old.flatMap((entry) => (addresses.has(entry.address) ? [] : [gone(entry)])),
  ].sort((a, b) => rankOf(a) - rankOf(b));
  const changed = new Set(found.map(({ place }) => place)).size;
  return {
    found,
    standing: Math.max(0, 1 - changed / Math.max(old.length, now.length, 1)),
    noun: "address",
    lines: [before.split("\n"), after.split("\n")],
  };
}

const rankOf = ({ isImportant, before, after }: Difference) =>
  isImportant ? 0 : before === null ? 1 : after === null ? 2 : 3;

const isThere = ({ state }: InventoryLine) => typeof state === "number" && state < 400;
const isGone = ({ state }: InventoryLine) => state === 404 || state === 410;

function describe({ state, movedTo, title }: InventoryLine): string {
  const status = typeof state === "number" ? String(state) : (notRequested[state] ?? state);
  return [status, movedTo && `→ ${movedTo}`, title && `“${title}”`].filter(Boolean).join(" ");
}

function difference(
  entry: InventoryLine,
  verb: string,
  [before, after]: [InventoryLine | null, InventoryLine | null],
  isImportant = false,
): Difference {
  const title = entry.title && !verb.startsWith("Title") ? ` “${entry.title}”` : "";
  const sides = [before && describe(before), after && describe(after)] as const;
  return item(entry.address, sides, `${verb}: ${entry.address}${title}`, isImportant);
}

const item = (
  place: string,
  [before, after]: readonly [string | null, string | null],
  sentence: string,
  isImportant = false,
): Difference => ({
  place,
  before,
  after,
  noise: null,
  isItem: true,
  sentence,
  ...(isImportant && { isImportant: true }),
});

function compareEntry(old: InventoryLine, now: InventoryLine): Difference[] {
  const both: [InventoryLine, InventoryLine] = [old, now];
  if (isThere(old) && isGone(now)) return [difference(old, "Vanished", [old, null])];
  if (isGone(old) && isThere(now)) return [difference(now, "Back again", [null, now], true)];
  if (now.movedTo !== null && now.movedTo !== old.movedTo)
    return [difference({ ...now, title: "" }, `Moved to ${now.movedTo}`, both)];
  if (now.movedTo !== old.movedTo) return [difference(now, "No longer redirected", both)];
  if (now.state !== old.state)
    return [difference(now, `Status ${old.state} → ${now.state}`, both, typeof old.state !== "number")];
  if (now.title !== old.title) return [difference(now, `Title “${old.title}” → “${now.title}”`, both)];
  return [];
}

/** Scripts that one page loads from hosts from which other pages load scripts too. */
function compareScripts(
  old: InventoryLine,
  now: InventoryLine,
  isKnownHost: (host: string) => boolean,
): Difference[] {
  const [before, after] = [old, now].map(({ scriptHosts }) => scriptHosts.filter(isKnownHost).join(", "));
  if (before === after || !isThere(old) || !isThere(now)) return [];
  const sentence = `Script hosts of ${now.address}: ${before || "none"} → ${after || "none"}`;
  return [item(`scripts of ${now.address}`, [before || null, after || null], sentence)];
}

function appeared(now: InventoryLine): Difference {
  const verbs: [boolean, string][] = [
    [now.state === "script", "Named in a script"],
    [now.state === "robots", "Appeared, closed to robots"],
    [now.movedTo !== null, `New redirect to ${now.movedTo}`],
    [isThere(now), "Appeared"],
    [isGone(now), "New broken link"],
  ];
  const verb = verbs.find(([applies]) => applies)?.[1] ?? `Appeared with status ${now.state}`;
  return difference(now, verb, [null, now], !isGone(now) && now.movedTo === null);
}

const gone = (old: InventoryLine) =>
  difference(old, typeof old.state === "number" ? "No longer listed" : "No longer named", [old, null]);

function compareScriptHosts(before: Map<string, number>, after: Map<string, number>): Difference[] {
  const describeHost = (host: string, count: number | undefined) =>
    count === undefined ? null : `scripts from ${host} on ${count} ${count === 1 ? "page" : "pages"}`;
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((host) => !before.has(host) || !after.has(host))
    .sort()
    .map((host) => {
      const sides = [describeHost(host, before.get(host)), describeHost(host, after.get(host))] as const;
      const sentence = `${before.has(host) ? "Script host gone" : "New script host"}: ${host}`;
      return item(`scripts from ${host}`, sides, sentence, !before.has(host));
    });
}

function countHosts(lines: InventoryLine[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of lines.filter(isThere))
    for (const host of entry.scriptHosts) counts.set(host, (counts.get(host) ?? 0) + 1);
  return counts;
}
