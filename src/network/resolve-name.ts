import { Resolver } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** All addresses of a name, in text; throws or gives none when there is no answer. Ends with the signal. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<string[]>;

const hostsFile = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/**
 * Asks the system's name servers, after its hosts file. Not getaddrinfo: that waits in one of four threads, so that a
 * few names whose servers never answer hold up every other.
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
      const asked = [resolver.resolve4(name), resolver.resolve6(name)].map(async (answer, family) => {
        found[family] = await answer;
      });
      // Some servers never answer for one of the families, which must not cost the other.
      const over = Promise.allSettled(asked);
      await Promise.any(asked).catch(() => undefined);
      await Promise.race([over, sleep(500, undefined, { ref: false })]);
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
