import type { PageProxy, ProxyProblem } from "#network/proxy.ts";

/** One of the ways that a job may take: a proxy, our own connection, or a proxy that can't be used. */
export type ProxyChoice = { id: string; name: string; proxy?: PageProxy; problem?: ProxyProblem };

/** How a proxy did when a page was captured; `problem` is null if it connected us. */
export type ProxyUse = { id: string; name: string; problem: ProxyProblem | null; ms: number | null };

/** What is wrong with a proxy, to follow its name. */
export const proxyProblems: Record<ProxyProblem, string> = {
  dns: "its name doesn’t resolve to a public address",
  guard: "its address may not be used: only public addresses are allowed",
  refused: "it refused or dropped the connection",
  timeout: "it took too long to answer",
  unanswered: "it accepted our connection but didn’t say whether it reaches the site",
  tls: "its certificate or encryption is not valid",
  protocol: "it didn’t answer as a proxy does",
  credentials: "it did not accept the username and password",
  denied: "it does not allow connections to this site",
  missing: "it does not exist any more",
};

/** Why none of the proxies connected us, in a sentence. One that refuses only this site isn't down. */
export function describeProxies(uses: ProxyUse[]): string {
  const each = uses.map(({ name, problem }) => `“${name}”: ${proxyProblems[problem ?? "refused"]}`);
  if (uses.some(({ problem }) => problem === "denied")) return `No proxy connects us. ${each.join("; ")}.`;
  return uses.length === 1
    ? `The proxy is down. ${each.join()}.`
    : `All proxies are down. ${each.join("; ")}.`;
}

/** Says which proxy was used although it isn't the first; null if the first was. */
export function describeFallback(uses: ProxyUse[] = []): string | null {
  const used = uses.at(-1);
  const [first] = uses;
  if (!used || !first || used.problem !== null || used === first) return null;
  return `Captured through the proxy “${used.name}”, because “${first.name}” didn’t connect us: ${proxyProblems[first.problem ?? "refused"]}`;
}
