import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type SiteRuleRow = Selectable<Schema["site_rules"]>;

export async function listSiteRules(
  db: Database,
  accountId: string,
  jobId: string,
): Promise<(SiteRuleRow & { jobs: number; retired: number })[]> {
  return db
    .selectFrom("site_rules")
    .selectAll()
    .select((eb) => {
      const made = eb
        .selectFrom("site_rule_jobs")
        .whereRef("rule_id", "=", "site_rules.id")
        .where("made_job_id", "is not", null);
      return [
        made
          .where("retired_at", "is", null)
          .select(sql<number>`count(*)::integer`.as("count"))
          .$asScalar()
          .$notNull()
          .as("jobs"),
        made
          .where("retired_at", "is not", null)
          .select(sql<number>`count(*)::integer`.as("count"))
          .$asScalar()
          .$notNull()
          .as("retired"),
      ];
    })
    .where("account_id", "=", accountId)
    .where("job_id", "=", jobId)
    .orderBy("created_at")
    .execute();
}

export async function insertSiteRule(
  db: Database,
  values: Insertable<Schema["site_rules"]>,
): Promise<string> {
  const { id } = await db.insertInto("site_rules").values(values).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Changes a rule; false if the site has no such rule. */
export async function updateSiteRule(
  db: Database,
  { accountId, jobId, id }: { accountId: string; jobId: string; id: string },
  values: Updateable<Schema["site_rules"]>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("site_rules")
    .set(values)
    .where("id", "=", id)
    .where("job_id", "=", jobId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes a rule; the jobs that it made stay. */
export async function deleteSiteRule(
  db: Database,
  accountId: string,
  jobId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("site_rules")
    .where("id", "=", id)
    .where("job_id", "=", jobId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function setRuleProblem(db: Database, id: string, problem: string | null): Promise<void> {
  await db.updateTable("site_rules").set({ problem }).where("id", "=", id).execute();
}

/** What a rule has made; without a job, its owner has deleted it. */
export async function listMadeJobs(db: Database, ruleId: string) {
  const rows = await db
    .selectFrom("site_rule_jobs")
    .leftJoin("jobs", "jobs.id", "site_rule_jobs.made_job_id")
    .select([
      "site_rule_jobs.identity",
      "site_rule_jobs.retired_at",
      "jobs.id",
      "jobs.name",
      "jobs.url",
      "jobs.delete_at",
    ])
    .where("rule_id", "=", ruleId)
    .orderBy("site_rule_jobs.identity")
    .execute();
  return rows.map(({ identity, retired_at, id, name, url, delete_at }) => ({
    identity,
    jobId: delete_at === null ? id : null,
    isRetired: retired_at !== null,
    name: name ?? "",
    url: url ?? "",
  }));
}

export async function putMadeJob(
  db: Database,
  ruleId: string,
  identity: string,
  values: { made_job_id?: string; retired_at: Date | null },
): Promise<void> {
  await db
    .insertInto("site_rule_jobs")
    .values({ rule_id: ruleId, identity, ...values })
    .onConflict((conflict) => conflict.columns(["rule_id", "identity"]).doUpdateSet(values))
    .execute();
}

/** Adds what a new rule has made, as far as each page is there once. */
export async function insertMadeJobs(
  tx: Database,
  ruleId: string,
  made: { identity: string; made_job_id: string | null; retired_at: Date | null }[],
): Promise<void> {
  for (let at = 0; at < made.length; at += 1000)
    await tx
      .insertInto("site_rule_jobs")
      .values(made.slice(at, at + 1000).map((one) => ({ rule_id: ruleId, ...one })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
