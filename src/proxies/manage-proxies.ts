import { randomUUID } from "node:crypto";
import { proxyProblems } from "#capture/proxy-choice.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { maxProxies, type NewProxy, type PageProxy } from "#contract/proxy.ts";
import { directProxy } from "#contract/setting-shapes.ts";
import { type ProxyProblem, proxyUrl } from "#network/proxy.ts";
import type { Database } from "#storage/database.ts";
import {
  countOwnProxies,
  countProxyUsers,
  deleteOwnProxy,
  findProxies,
  hasProxyNamed,
  insertProxy,
  listProxies,
  lockOwnProxy,
  type ProxyRow,
  updateProxy as updateProxyRow,
} from "#storage/proxies.ts";
import type { Deps } from "./deps.ts";
import { openCredentials, sealCredentials } from "./open-proxies.ts";

type Users = Map<string, { jobs: number; groups: number }>;

/** The proxies that an account's jobs may use: its own and the operator's. */
export async function readProxies(deps: Deps, { accountId }: Actor): Promise<PageProxy[]> {
  const [rows, users] = await Promise.all([
    listProxies(deps.db, accountId),
    countProxyUsers(deps.db, accountId),
  ]);
  return rows.map((row) => describeProxy(deps, row, users));
}

/** Adds a proxy; its address is judged like that of a page. */
export async function createProxy(deps: Deps, { accountId }: Actor, input: NewProxy): Promise<PageProxy> {
  await assertProxy(deps, input);
  const id = randomUUID();
  return deps.db.transaction().execute(async (tx) => {
    if ((await countOwnProxies(tx, accountId)) >= maxProxies)
      throw new AppError("CONFLICT", `An account has at most ${maxProxies} proxies. Delete one first.`);
    const { username, password } = input;
    const credentials = { username, password: password ?? "" };
    const row = await insertProxy(tx, {
      id,
      account_id: accountId,
      ...columnsOf(input),
      credentials_sealed: sealCredentials(deps, id, credentials),
    });
    if (!row) throw nameTaken();
    return describeProxy(deps, row, new Map());
  });
}

/** Changes a proxy. A password never goes to another proxy than the one that it was entered for. */
export async function updateProxy(
  deps: Deps,
  { accountId }: Actor,
  id: string,
  input: NewProxy,
): Promise<PageProxy> {
  await assertProxy(deps, input);
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockOwnProxy(tx, accountId, id);
    if (!row) throw new AppError("NOT_FOUND");
    if (input.name !== row.name && (await hasProxyNamed(tx, accountId, input.name))) throw nameTaken();
    const old = openCredentials(deps, row);
    const { username } = input;
    const keepsPassword = (input.password ?? null) === null && username !== "" && old !== undefined;
    if (
      keepsPassword &&
      old.password !== "" &&
      (proxyUrl(input) !== proxyUrl(row) || username !== old.username)
    )
      throw new AppError("INVALID_INPUT", "Enter the password again: the proxy or the username changed.", {
        field: "password",
      });
    const credentials = { username, password: keepsPassword ? old.password : (input.password ?? "") };
    const changed = await updateProxyRow(tx, id, {
      ...columnsOf(input),
      credentials_sealed: sealCredentials(deps, id, credentials),
      // What was measured belongs to the old settings.
      latency_ms: null,
      address: null,
      problem: null,
      failed_at: null,
      succeeded_at: null,
    });
    return describeProxy(deps, changed, await countProxyUsers(tx, accountId));
  });
}

/** Deletes a proxy and returns its name. A job that uses it would go without it, so that is refused. */
export async function deleteProxy(deps: Deps, { accountId }: Actor, id: string): Promise<string> {
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockOwnProxy(tx, accountId, id);
    if (!row) throw new AppError("NOT_FOUND");
    const { jobs, groups } = (await countProxyUsers(tx, accountId)).get(id) ?? { jobs: 0, groups: 0 };
    if (jobs + groups > 0) {
      const users = [count(jobs, "job"), count(groups, "group")].filter(Boolean).join(" and ");
      const verb = jobs + groups === 1 ? "uses" : "use";
      throw new AppError("CONFLICT", `${users} ${verb} this proxy. Choose another one there first.`);
    }
    await deleteOwnProxy(tx, accountId, id);
    return row.name;
  });
}

const count = (many: number, what: string) => (many === 0 ? "" : `${many} ${what}${many === 1 ? "" : "s"}`);

/** Refuses proxies that the account can't use. */
export async function assertProxiesUsable(
  db: Database,
  accountId: string,
  ids: readonly string[] | null | undefined,
): Promise<void> {
  const wanted = (ids ?? []).filter((id) => id !== directProxy);
  const found = await findProxies(db, accountId, wanted);
  if (found.length < wanted.length)
    throw new AppError("INVALID_INPUT", "This proxy doesn’t exist any more. Choose another one.", {
      field: "proxies",
    });
}

async function assertProxy({ refuseTarget, mayLookUpNames }: Deps, input: NewProxy): Promise<void> {
  const reason = await refuseTarget(proxyUrl(input));
  if (reason) throw new AppError("INVALID_INPUT", reason, { field: "host" });
  if (input.looksUpNames && !mayLookUpNames)
    throw new AppError("INVALID_INPUT", "This server looks up names itself, not through the proxy.", {
      field: "looksUpNames",
    });
  if (input.username === "" && input.password)
    throw new AppError("INVALID_INPUT", "Enter the username that belongs to the password.", {
      field: "username",
    });
  const echoReason = input.echoUrl ? await refuseTarget(input.echoUrl) : null;
  if (echoReason) throw new AppError("INVALID_INPUT", echoReason, { field: "echoUrl" });
}

const nameTaken = () =>
  new AppError("NAME_TAKEN", "You already have a proxy with this name.", { field: "name" });

const columnsOf = ({ name, protocol, host, port, looksUpNames, echoUrl }: NewProxy) => ({
  name,
  protocol,
  host,
  port,
  looks_up_names: looksUpNames,
  echo_url: echoUrl?.trim() || null,
});

export function describeProxy(deps: Deps, row: ProxyRow, users: Users): PageProxy {
  const isShared = row.account_id === null;
  const credentials = isShared ? undefined : openCredentials(deps, row);
  const problem = row.problem as ProxyProblem | null;
  return {
    id: row.id,
    name: row.name,
    isShared,
    protocol: row.protocol,
    host: isShared ? null : row.host,
    port: isShared ? null : row.port,
    username: credentials?.username ?? "",
    hasPassword: (credentials?.password ?? "") !== "",
    looksUpNames: row.looks_up_names,
    echoUrl: row.echo_url,
    lastSuccessAt: row.succeeded_at?.toISOString() ?? null,
    latencyMs: row.latency_ms,
    address: row.address,
    problem: problem && `It is down: ${proxyProblems[problem]}.`,
    failedAt: row.failed_at?.toISOString() ?? null,
    ...(users.get(row.id) ?? { jobs: 0, groups: 0 }),
  };
}
