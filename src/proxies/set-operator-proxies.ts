import { randomUUID } from "node:crypto";
import { type PageProxy, proxyUrl } from "#network/proxy.ts";
import { deleteOperatorProxies, insertProxy, listOperatorProxies, updateProxy } from "#storage/proxies.ts";
import type { Deps } from "./deps.ts";
import { openCredentials, sealCredentials } from "./open-proxies.ts";

export type OperatorProxy = PageProxy & { name: string };

/** Makes the stored proxies of the operator those of the configuration; one that stays keeps its id and its health. */
export async function setOperatorProxies(
  deps: Pick<Deps, "db" | "secrets">,
  proxies: OperatorProxy[],
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const stored = await listOperatorProxies(tx);
    if (stored.length === 0 && proxies.length === 0) return;
    await deleteOperatorProxies(
      tx,
      proxies.map(({ name }) => name),
    );
    for (const proxy of proxies) {
      const { name, protocol, host, port, looksUpNames } = proxy;
      const row = stored.find((each) => each.name === name);
      const id = row?.id ?? randomUUID();
      const isSame =
        row &&
        proxyUrl(row) === proxyUrl(proxy) &&
        row.protocol === protocol &&
        row.looks_up_names === looksUpNames &&
        JSON.stringify(openCredentials(deps, row)) === JSON.stringify(proxy.credentials);
      if (isSame) continue;
      const values = {
        name,
        protocol,
        host,
        port,
        looks_up_names: looksUpNames,
        credentials_sealed: proxy.credentials ? sealCredentials(deps, id, proxy.credentials) : null,
      };
      // Another process that starts at the same time may have inserted it.
      if (row) await updateProxy(tx, id, { ...values, problem: null, address: null, latency_ms: null });
      else await insertProxy(tx, { id, account_id: null, ...values });
    }
  });
}
