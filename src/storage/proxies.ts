import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type ProxyRow = Selectable<Schema["proxies"]>;

/** The account's own proxies and the operator's. */
const usableBy = (accountId: string) => sql<boolean>`(account_id = ${accountId} or account_id is null)`;

/** The proxies that an account may use: its own by name, then the operator's. */
export async function listProxies(db: Database, accountId: string): Promise<ProxyRow[]> {
  return db
    .selectFrom("proxies")
    .selectAll()
    .where(usableBy(accountId))
    .orderBy(sql`account_id is null`)
    .orderBy("name")
    .execute();
}

export async function findProxies(db: Database, accountId: string, ids: string[]): Promise<ProxyRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom("proxies").selectAll().where("id", "in", ids).where(usableBy(accountId)).execute();
}

/** A proxy that the account may change. */
export async function lockOwnProxy(
  tx: Database,
  accountId: string,
  id: string,
): Promise<ProxyRow | undefined> {
  return tx
    .selectFrom("proxies")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .forUpdate()
    .executeTakeFirst();
}

/** Locks the account, so that its proxies can be counted. */
export async function countOwnProxies(tx: Database, accountId: string): Promise<number> {
  await tx.selectFrom("accounts").select("id").where("id", "=", accountId).forUpdate().execute();
  const { count } = await tx
    .selectFrom("proxies")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Undefined if the account has a proxy of that name already. */
export async function insertProxy(
  tx: Database,
  values: Insertable<Schema["proxies"]>,
): Promise<ProxyRow | undefined> {
  return tx
    .insertInto("proxies")
    .values(values)
    .onConflict((conflict) => conflict.columns(["account_id", "name"]).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** For a row that the caller has locked, or that belongs to the operator. */
export async function updateProxy(
  tx: Database,
  id: string,
  values: Updateable<Schema["proxies"]>,
): Promise<ProxyRow> {
  return tx.updateTable("proxies").set(values).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

export async function hasProxyNamed(tx: Database, accountId: string, name: string): Promise<boolean> {
  const found = await tx
    .selectFrom("proxies")
    .select("id")
    .where("account_id", "=", accountId)
    .where("name", "=", name)
    .executeTakeFirst();
  return found !== undefined;
}

export async function deleteOwnProxy(tx: Database, accountId: string, id: string): Promise<void> {
  await tx.deleteFrom("proxies").where("id", "=", id).where("account_id", "=", accountId).execute();
}

/** How many of the account's jobs and groups use each proxy. */
export async function countProxyUsers(
  db: Database,
  accountId: string,
): Promise<Map<string, { jobs: number; groups: number }>> {
  const { rows } = await sql<{ id: string; jobs: string; groups: string }>`
    select id, count(*) filter (where not of_group) as jobs, count(*) filter (where of_group) as groups from (
      select jsonb_array_elements_text(settings::jsonb -> 'proxies') as id, false as of_group
        from jobs where account_id = ${accountId} and jsonb_typeof(settings::jsonb -> 'proxies') = 'array'
      union all
      select jsonb_array_elements_text(handed::jsonb -> 'proxies'), true
        from groups where account_id = ${accountId} and jsonb_typeof(handed::jsonb -> 'proxies') = 'array'
    ) as used group by id`.execute(db);
  return new Map(rows.map(({ id, jobs, groups }) => [id, { jobs: Number(jobs), groups: Number(groups) }]));
}

/**
 * Stores how a proxy did; a success that changes nothing is stored at most once a minute. A problem that says nothing
 * about the proxy's other users (`isOfOneSite`) isn't stored with a shared proxy.
 */
export async function recordProxyUse(
  db: Database,
  accountId: string,
  id: string,
  use: { problem: string | null; ms: number | null; isOfOneSite?: boolean },
): Promise<void> {
  const { problem, ms, isOfOneSite = false } = use;
  if (problem !== null) {
    await db
      .updateTable("proxies")
      .set({ failed_at: sql<Date>`now()`, problem })
      .where("id", "=", id)
      .where(isOfOneSite ? sql<boolean>`account_id = ${accountId}` : usableBy(accountId))
      .execute();
    return;
  }
  await db
    .updateTable("proxies")
    .set({
      succeeded_at: sql<Date>`now()`,
      problem: null,
      ...(ms !== null && { latency_ms: Math.round(ms) }),
    })
    .where("id", "=", id)
    .where(usableBy(accountId))
    .where(
      sql<boolean>`(problem is not null or succeeded_at is null or succeeded_at < now() - interval '1 minute')`,
    )
    .execute();
}

/** The operator's proxies, which are configured by the environment. */
export async function listOperatorProxies(tx: Database): Promise<ProxyRow[]> {
  return tx.selectFrom("proxies").selectAll().where("account_id", "is", null).forUpdate().execute();
}

export async function deleteOperatorProxies(tx: Database, exceptNames: string[]): Promise<void> {
  await tx
    .deleteFrom("proxies")
    .where("account_id", "is", null)
    .where(sql<boolean>`not (name = any(${exceptNames}))`)
    .execute();
}
