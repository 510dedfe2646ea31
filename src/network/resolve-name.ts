import { Resolver } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Resolves a name to all its addresses as text; throws or returns none without an answer. The signal cancels it. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<string[]>;

const hostsFile = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/**
 * Reads the system's hosts file, then asks its name servers. It does not use getaddrinfo, which waits in one of four
 * threads, so that a few names whose servers never answer would hold up all others.
 */
export function openResolver(servers?: string[], hosts = readHosts(hostsFile)): ResolveName {
  return async (name, signal) => {
    const known = hosts.get(name.toLowerCase());
    if (known) return known;
    const resolver = new Resolver({ timeout: 1_500, tries: 3 });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const found: string[][] = [];
      const lookups = [resolver.resolve4(name), resolver.resolve6(name)].map(async (answer, family) => {
        found[family] = await answer;
      });
      // Some servers never answer for one address family; the other must still be usable.
      const allDone = Promise.allSettled(lookups);
      await Promise.any(lookups).catch(() => undefined);
      await Promise.race([allDone, sleep(500, undefined, { ref: false })]);
      return found.flat();
    } finally {
      cancel();
      signal.removeEventListener("abort", cancel);
    }
  };
}

function readHosts(path: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of textOf(path).split("\n")) {
    const [address, ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
    for (const name of address ? names : []) hosts.set(name, [...(hosts.get(name) ?? []), address as string]);
  }
  return hosts;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
