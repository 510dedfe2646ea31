import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Opinion } from "#contract/second-opinion.ts";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type OpinionEndpointRow = Selectable<Schema["opinion_endpoints"]>;
export type OpinionRow = Selectable<Schema["opinions"]>;

export async function findOpinionEndpoint(
  db: Database,
  accountId: string,
): Promise<OpinionEndpointRow | undefined> {
  return db
    .selectFrom("opinion_endpoints")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirst();
}

/** Until the transaction ends, nobody else changes the endpoint or counts a request to it. */
export async function lockOpinionEndpoint(
  tx: Database,
  accountId: string,
): Promise<OpinionEndpointRow | undefined> {
  return tx
    .selectFrom("opinion_endpoints")
    .selectAll()
    .where("account_id", "=", accountId)
    .forUpdate()
    .executeTakeFirst();
}

export async function saveOpinionEndpoint(
  tx: Database,
  values: Insertable<Schema["opinion_endpoints"]>,
): Promise<void> {
  const { account_id: _, ...changes } = values;
  await tx
    .insertInto("opinion_endpoints")
    .values(values)
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(changes))
    .execute();
}

export async function updateOpinionEndpoint(
  db: Database,
  accountId: string,
  values: Updateable<Schema["opinion_endpoints"]>,
): Promise<void> {
  await db.updateTable("opinion_endpoints").set(values).where("account_id", "=", accountId).execute();
}

/** Deletes the endpoint with its key and the answers; what was used this month stays counted. */
export async function deleteOpinionEndpoint(tx: Database, accountId: string): Promise<boolean> {
  await tx.deleteFrom("opinion_answers").where("account_id", "=", accountId).execute();
  const { numDeletedRows } = await tx
    .deleteFrom("opinion_endpoints")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

const startOfMonth = sql<Date>`date_trunc('month', now() at time zone 'utc') at time zone 'utc'`;

type Use = { calls: number; inputTokens: number; outputTokens: number; cost: number };

/** What an account, or one of its jobs, used in this month, in UTC. */
export async function readOpinionUse(db: Database, accountId: string, jobId?: string): Promise<Use> {
  const { rows } = await sql<Use>`
    select count(*)::float8 as "calls", coalesce(sum(input_tokens), 0)::float8 as "inputTokens",
      coalesce(sum(output_tokens), 0)::float8 as "outputTokens", coalesce(sum(cost), 0) as "cost"
    from opinion_calls
    where account_id = ${accountId} and asked_at >= ${startOfMonth}
      ${jobId === undefined ? sql`` : sql`and job_id = ${jobId}`}`.execute(db);
  return rows[0] ?? { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
}

/** The jobs that used most this month. */
export async function listOpinionUsers(
  db: Database,
  accountId: string,
  limit: number,
): Promise<{ jobId: string; name: string; calls: number; tokens: number }[]> {
  const { rows } = await sql<{ jobId: string; name: string; calls: number; tokens: number }>`
    select jobs.id as "jobId", jobs.name, count(*)::float8 as "calls",
      sum(input_tokens + output_tokens)::float8 as "tokens"
    from opinion_calls join jobs on jobs.id = opinion_calls.job_id and jobs.account_id = opinion_calls.account_id
    where opinion_calls.account_id = ${accountId} and asked_at >= ${startOfMonth}
    group by jobs.id, jobs.name order by 4 desc, jobs.name limit ${limit}`.execute(db);
  return rows;
}

export async function insertOpinionCall(
  tx: Database,
  values: Insertable<Schema["opinion_calls"]>,
): Promise<string> {
  const row = await tx.insertInto("opinion_calls").values(values).returning("id").executeTakeFirstOrThrow();
  return row.id;
}

export async function updateOpinionCall(
  db: Database,
  id: string,
  values: Updateable<Schema["opinion_calls"]>,
): Promise<void> {
  await db.updateTable("opinion_calls").set(values).where("id", "=", id).execute();
}

/** Claims a question that has no usable answer and that nobody is asking; false if one of both is the case. */
export async function claimQuestion(db: Database, accountId: string, fingerprint: Buffer): Promise<boolean> {
  const { rows } = await sql`
    insert into opinion_answers (account_id, fingerprint) values (${accountId}, ${fingerprint})
    on conflict (account_id, fingerprint) do update set answer = null, asked_at = now()
    where opinion_answers.asked_at < now() - interval '7 days'
      or (opinion_answers.answer is null and opinion_answers.asked_at < now() - interval '1 minute')
    returning 1`.execute(db);
  return rows.length > 0;
}

/** The answer to a question; null while somebody asks, undefined if nobody does. */
export async function findAnswer(
  db: Database,
  accountId: string,
  fingerprint: Buffer,
): Promise<string | null | undefined> {
  const row = await db
    .selectFrom("opinion_answers")
    .select("answer")
    .where("account_id", "=", accountId)
    .where("fingerprint", "=", fingerprint)
    .executeTakeFirst();
  return row?.answer;
}

/** Stores the answer to a claimed question; without an answer, the claim ends. */
export async function settleQuestion(
  db: Database,
  accountId: string,
  fingerprint: Buffer,
  answer: string | null,
): Promise<void> {
  if (answer === null)
    await db
      .deleteFrom("opinion_answers")
      .where("account_id", "=", accountId)
      .where("fingerprint", "=", fingerprint)
      .where("answer", "is", null)
      .execute();
  else
    await db
      .updateTable("opinion_answers")
      .set({ answer })
      .where("account_id", "=", accountId)
      .where("fingerprint", "=", fingerprint)
      .execute();
}

/** Begins the opinion about a change; false if it was begun before. */
export async function insertOpinion(
  tx: Database,
  values: { execution_id: string; account_id: string; wait_until: Date; is_awaited: boolean },
): Promise<boolean> {
  const row = await tx
    .insertInto("opinions")
    .values(values)
    .onConflict((conflict) => conflict.column("execution_id").doNothing())
    .returning("execution_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function findOpinionRow(
  db: Database,
  accountId: string,
  executionId: string,
): Promise<OpinionRow | undefined> {
  return db
    .selectFrom("opinions")
    .selectAll()
    .where("execution_id", "=", executionId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
}

/** Settles the opinion about a change for good; false if that was done before. */
export async function settleOpinion(
  tx: Database,
  accountId: string,
  executionId: string,
  opinion: Opinion,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("opinions")
    .set({ is_settled: true, lowered: opinion.lowered, opinion: JSON.stringify(opinion) })
    .where("execution_id", "=", executionId)
    .where("account_id", "=", accountId)
    .where("is_settled", "=", false)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The settled opinions about changes, by execution. */
export async function listOpinions(
  db: Database,
  accountId: string,
  executionIds: string[],
): Promise<Map<string, Opinion>> {
  if (executionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("opinions")
    .select(["execution_id", "opinion"])
    .where("account_id", "=", accountId)
    .where("execution_id", "in", executionIds)
    .where("is_settled", "=", true)
    .execute();
  return new Map(
    rows.flatMap(({ execution_id, opinion }) =>
      opinion === null ? [] : [[execution_id, JSON.parse(opinion) as Opinion]],
    ),
  );
}

export async function findOpinion(
  db: Database,
  accountId: string,
  executionId: string,
): Promise<Opinion | null> {
  return (await listOpinions(db, accountId, [executionId])).get(executionId) ?? null;
}

/** Makes an alert that is about to be sent part of the daily digest instead. */
export async function moveToDigest(tx: Database, accountId: string, notificationId: string): Promise<void> {
  await tx
    .updateTable("notifications")
    .set({ kind: "folded" })
    .where("id", "=", notificationId)
    .where("account_id", "=", accountId)
    .where("kind", "=", "change")
    .execute();
}

/** How many of a job's alerts an opinion moved to the digest that comes next. */
export async function countLowered(db: Database, accountId: string, jobId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as "count" from notifications
    join opinions on opinions.execution_id = notifications.execution_id and opinions.lowered
    where notifications.account_id = ${accountId} and notifications.kind = 'folded'
      and notifications.job_id = ${jobId}
      and not exists (select from deliveries where deliveries.notification_id = notifications.id)`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** A job's alerted changes, newest first, from before an execution if one is given. */
export async function listAlertedChanges(
  db: Database,
  accountId: string,
  jobId: string,
  { limit, beforeId }: { limit: number; beforeId: string | null },
): Promise<{ id: string }[]> {
  let query = db
    .selectFrom("executions")
    .select("id")
    .where("account_id", "=", accountId)
    .where("job_id", "=", jobId)
    .where("changed", "=", true)
    .where("folded", "=", false)
    .where("untold", "is", null);
  if (beforeId)
    query = query.where("number", "<", (eb) =>
      eb
        .selectFrom("executions as last")
        .select("last.number")
        .where("last.id", "=", beforeId)
        .where("last.job_id", "=", jobId)
        .where("last.account_id", "=", accountId),
    );
  return query.orderBy("number", "desc").limit(limit).execute();
}
