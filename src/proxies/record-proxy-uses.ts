import type { ProxyUse } from "#capture/proxy-choice.ts";
import { directProxy } from "#contract/setting-shapes.ts";
import { recordProxyUse } from "#storage/proxies.ts";
import type { Deps } from "./deps.ts";

/**
 * Stores how the proxies of a capture did. One that refused only this site isn't down: others may use it. One that
 * didn't answer may be waiting for the site, so it counts as down for its own account only.
 */
export async function recordProxyUses(
  { db }: Pick<Deps, "db">,
  accountId: string,
  uses: readonly ProxyUse[] = [],
): Promise<void> {
  for (const { id, problem, ms } of uses) {
    if (id === directProxy || problem === "missing" || problem === "denied") continue;
    await recordProxyUse(db, accountId, id, { problem, ms, isOfOneSite: problem === "unanswered" });
  }
}
