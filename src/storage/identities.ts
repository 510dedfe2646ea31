import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type IdentityRow = Selectable<Schema["identities"]>;

export async function listIdentities(db: Database, accountId: string): Promise<IdentityRow[]> {
  return db
    .selectFrom("identities")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("name")
    .execute();
}

export async function findIdentity(
  db: Database,
  accountId: string,
  id: string,
): Promise<IdentityRow | undefined> {
  return db
    .selectFrom("identities")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** The account's identity, locked until the transaction ends. */
export async function lockIdentity(
  tx: Database,
  accountId: string,
  id: string,
): Promise<IdentityRow | undefined> {
  return tx
    .selectFrom("identities")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

/** The caller has locked the account. Undefined if it has an identity of that name already. */
export async function insertIdentity(
  tx: Database,
  values: Insertable<Schema["identities"]>,
): Promise<IdentityRow | undefined> {
  return tx
    .insertInto("identities")
    .values(values)
    .onConflict((conflict) => conflict.columns(["account_id", "name"]).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** For a row that the caller has locked. */
export async function updateIdentity(
  tx: Database,
  id: string,
  values: Updateable<Schema["identities"]>,
): Promise<IdentityRow> {
  return tx
    .updateTable("identities")
    .set(values)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteIdentityRow(tx: Database, accountId: string, id: string): Promise<void> {
  await tx.deleteFrom("identities").where("id", "=", id).where("account_id", "=", accountId).execute();
}

/** How many of the account's jobs and groups name each identity. */
export async function countIdentityUsers(
  db: Database,
  accountId: string,
): Promise<Map<string, { jobs: number; groups: number }>> {
  const { rows } = await sql<{ id: string; jobs: number; groups: number }>`
    select id, count(*) filter (where not of_group)::integer as jobs, count(*) filter (where of_group)::integer as groups
    from (
      select settings ->> 'identity' as id, false as of_group from jobs where account_id = ${accountId}
      union all
      select handed ->> 'identity', true from groups where account_id = ${accountId}
    ) as used where id is not null group by id`.execute(db);
  return new Map(rows.map(({ id, jobs, groups }) => [id, { jobs, groups }]));
}

/** The jobs that wait for an identity are due now. */
export async function wakeJobsOf(tx: Database, accountId: string, id: string): Promise<void> {
  await sql`
    update schedules set next_run_at = now() from jobs join groups on groups.id = jobs.group_id
    where schedules.job_id = jobs.id and jobs.account_id = ${accountId} and schedules.queued_at is null
      and coalesce(jobs.settings ->> 'identity', groups.handed ->> 'identity') = ${id}
  `.execute(tx);
}

const leaseSeconds = 90;
const isHeldBy = (lease: string) => sql<boolean>`lease = ${lease} and leased_until > now()`;

/** Takes the jar of an identity for one capture; undefined while another one has it. */
export async function leaseIdentity(
  db: Database,
  accountId: string,
  id: string,
): Promise<(IdentityRow & { lease: string }) | undefined> {
  const row = await db
    .updateTable("identities")
    .set({
      lease: sql<string>`gen_random_uuid()`,
      leased_until: sql<Date>`now() + ${leaseSeconds} * interval '1 second'`,
    })
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .where(sql<boolean>`(lease is null or leased_until < now())`)
    .returningAll()
    .executeTakeFirst();
  return row?.lease ? { ...row, lease: row.lease } : undefined;
}

/** A capture that is still running keeps its lease. False if it was lost. */
export async function renewLease(db: Database, lease: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("identities")
    .set({ leased_until: sql<Date>`now() + ${leaseSeconds} * interval '1 second'` })
    .where(isHeldBy(lease))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function endLease(db: Database, lease: string): Promise<void> {
  await db
    .updateTable("identities")
    .set({ lease: null, leased_until: null })
    .where("lease", "=", lease)
    .execute();
}

/** Changes an identity whose lease is still held; undefined if it isn't, because it took too long or was changed. */
export async function updateLeasedIdentity(
  tx: Database,
  lease: string,
  values: Updateable<Schema["identities"]>,
): Promise<IdentityRow | undefined> {
  return tx.updateTable("identities").set(values).where(isHeldBy(lease)).returningAll().executeTakeFirst();
}
