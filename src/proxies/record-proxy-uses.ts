import type { ProxyUse } from "#capture/proxy-choice.ts";
import { directProxy } from "#contract/setting-shapes.ts";
import { recordProxyUse } from "#storage/proxies.ts";
import type { Deps } from "./deps.ts";

/** Stores how the proxies of a capture did. One that refused only this site isn't down: others may use it. */
export async function recordProxyUses(
  { db }: Pick<Deps, "db">,
  accountId: string,
  uses: readonly ProxyUse[] = [],
): Promise<void> {
  for (const { id, problem, ms } of uses) {
    if (id === directProxy || problem === "missing" || problem === "denied") continue;
    await recordProxyUse(db, accountId, id, { problem, ms });
  }
}
