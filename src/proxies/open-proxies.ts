import type { ProxyChoice } from "#capture/proxy-choice.ts";
import { directProxy } from "#contract/setting-shapes.ts";
import type { PageProxy } from "#network/proxy.ts";
import { findProxies, type ProxyRow } from "#storage/proxies.ts";
import type { Deps } from "./deps.ts";

const sealContext = (id: string) => `proxy:${id}`;

export function sealCredentials(
  { secrets }: Pick<Deps, "secrets">,
  id: string,
  credentials: NonNullable<PageProxy["credentials"]>,
): string | null {
  const { username, password } = credentials;
  if (username === "" && password === "") return null;
  return secrets.seal(JSON.stringify([username, password]), sealContext(id));
}

export function openCredentials(
  { secrets }: Pick<Deps, "secrets">,
  { id, credentials_sealed }: Pick<ProxyRow, "id" | "credentials_sealed">,
): PageProxy["credentials"] {
  if (credentials_sealed === null) return undefined;
  const [username, password] = JSON.parse(secrets.open(credentials_sealed, sealContext(id))) as [
    string,
    string,
  ];
  return { username, password };
}

/** The proxy of a row, as requests go through it. */
export function toProxy(deps: Pick<Deps, "secrets">, row: ProxyRow): PageProxy {
  const { protocol, host, port, looks_up_names: looksUpNames } = row;
  return { protocol, host, port, looksUpNames, credentials: openCredentials(deps, row) };
}

/**
 * The proxies of a job in their order. One that doesn't exist any more stays in the list as a problem: leaving it out
 * would show the site an address that it wasn't to see.
 */
export async function openProxies(
  deps: Pick<Deps, "db" | "secrets">,
  accountId: string,
  ids: readonly string[] | null,
): Promise<ProxyChoice[]> {
  if (!ids || ids.every((id) => id === directProxy)) return [];
  const rows = await findProxies(
    deps.db,
    accountId,
    ids.filter((id) => id !== directProxy),
  );
  return ids.map((id) => {
    if (id === directProxy) return { id, name: "direct connection" };
    const row = rows.find((each) => each.id === id);
    if (!row) return { id, name: "deleted proxy", problem: "missing" };
    return { id, name: row.name, proxy: toProxy(deps, row) };
  });
}
