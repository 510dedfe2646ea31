import { sql } from "kysely";
import type { BlockKind } from "#contract/page-block.ts";
import type { Severity } from "#detection/severity/severity.ts";
import type { Database } from "#storage/database.ts";
import type { IncidentNoise, IncidentOpinion } from "#storage/incident-tables.ts";
import { comparedChanges } from "./group-changes.ts";

export type ChangeRow = {
  id: string;
  /** Null until it is put into an incident. */
  incident_id: string | null;
  by_hand: boolean;
  opinion: IncidentOpinion | null;
  job_id: string;
  created_at: Date;
  severity: Severity | null;
  summary: string;
  name: string;
  url: string;
  host: string;
  group_id: string;
  has_finding: boolean;
  noise_wanted: boolean;
  noise: IncidentNoise | null;
};

const changeColumns = sql`
  select executions.id, incident_id, coalesce(incidents.by_hand, false) as by_hand, incidents.opinion, executions.job_id,
    executions.created_at, severity, summary, jobs.name, jobs.url, jobs.host, jobs.group_id,
    coalesce(noise_wanted, false) as noise_wanted, noise,
    jsonb_path_exists(coalesce(verdict, '{}'), '$.findings[*] ? (@.severity != "info")') as has_finding
  from executions
  join jobs on jobs.id = executions.job_id
  left join verdicts on verdicts.execution_id = executions.id
  left join incident_changes on incident_changes.execution_id = executions.id
  left join incidents on incidents.id = incident_id
`;

/** An account's newest changes of the last days whose pages are indexed up to now. */
export async function listRecentChanges(
  db: Database,
  accountId: string,
  days: number,
  limit: number,
): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    ${changeColumns}
    join page_index_heads on page_index_heads.job_id = jobs.id and is_live
    where executions.account_id = ${accountId} and jobs.account_id = ${accountId} and changed
      and executions.created_at > now() - make_interval(days => ${days})
    order by executions.id desc limit ${limit}
  `.execute(db);
  return rows;
}

/** Changes by their executions. */
export async function findChanges(
  db: Database,
  accountId: string,
  executionIds: string[],
): Promise<ChangeRow[]> {
  if (executionIds.length === 0) return [];
  const { rows } = await sql<ChangeRow>`
    ${changeColumns}
    where executions.account_id = ${accountId} and jobs.account_id = ${accountId} and changed
      and executions.id = any(${executionIds}::uuid[])
    order by executions.id
  `.execute(db);
  return rows;
}

/** The changes that stand for the incidents of a time: the first and the last ones of those that went on last. */
export async function listNearbyChanges(
  db: Database,
  accountId: string,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<ChangeRow[]> {
  const { rows } = await sql<{ execution_id: string }>`
    with nearby as materialized (
      select incident_id, execution_id, at from incident_changes
      where account_id = ${accountId} and at between ${from} and ${to}
    ), latest as materialized (
      select incident_id from nearby group by incident_id order by max(at) desc limit ${limit}
    ), numbered as (
      select execution_id, row_number() over (partition by incident_id order by at, execution_id) as nth,
        row_number() over (partition by incident_id order by at desc, execution_id desc) as nth_last
      from nearby join latest using (incident_id)
    )
    select execution_id from numbered where nth <= ${comparedChanges} or nth_last <= ${comparedChanges}
  `.execute(db);
  return findChanges(
    db,
    accountId,
    rows.map(({ execution_id }) => execution_id),
  );
}

export type ItemRow = {
  execution_id: string;
  sign: "+" | "-";
  block_id: number;
  kind: BlockKind;
  text: string;
  weight: number;
};

/** At most this much of what one change added and removed is compared. */
const maxItems = 200;
/** Of a longer text, the rest is told apart by its hash: its page's author decides how long it is. */
const maxCharacters = 300;

/**
 * What each of the changes added and removed. The weight of a block is less the more often it comes and goes on the
 * pages that have it.
 */
export async function listChangedBlocks(
  db: Database,
  changes: Pick<ChangeRow, "id" | "job_id">[],
): Promise<ItemRow[]> {
  if (changes.length === 0) return [];
  const jobIds = [...new Set(changes.map(({ job_id }) => job_id))];
  const ids = changes.map(({ id }) => id);
  const { rows } = await sql<ItemRow>`
    with item as materialized (
      select execution_id, sign, block_id from (
        select execution_id, sign, block_id, row_number() over (partition by execution_id order by block_id) as nth from (
          select first_id as execution_id, '+' as sign, block_id from page_stays
          where job_id = any(${jobIds}::uuid[]) and first_id = any(${ids}::uuid[])
          union all
          select gone_id, '-', block_id from page_stays
          where job_id = any(${jobIds}::uuid[]) and gone_id = any(${ids}::uuid[])
        ) as changed
      ) as numbered where nth <= ${maxItems}
    ), weight as materialized (
      select block_id, count(distinct job_id)::float / count(*) as weight from page_stays
      where block_id in (select block_id from item) group by block_id
    )
    select execution_id, sign, block_id, kind, weight,
      case when length(text) <= ${maxCharacters} then text else left(text, ${maxCharacters}) || '… '
        || translate(md5(regexp_replace(lower(text), '\\d+', '0', 'g')), '0123456789', 'ghijklmnop') end as text
    from item join weight using (block_id) join page_blocks on page_blocks.id = block_id
  `.execute(db);
  return rows;
}

/** Until the transaction ends, nobody else puts changes of the account into incidents. */
export async function lockIncidents(tx: Database, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`incidents:${accountId}`}, 0))`.execute(tx);
}

export async function addIncident(tx: Database, accountId: string, byHand = false): Promise<string> {
  const row = await tx
    .insertInto("incidents")
    .values({ account_id: accountId, by_hand: byHand })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function addToIncident(
  tx: Database,
  accountId: string,
  incidentId: string,
  { id, job_id, created_at }: ChangeRow,
): Promise<void> {
  await tx
    .insertInto("incident_changes")
    .values({ execution_id: id, incident_id: incidentId, account_id: accountId, job_id, at: created_at })
    .execute();
}

/** The changes of an incident, oldest first, and how long ago they were. */
export async function listIncidentChanges(tx: Database, incidentId: string) {
  const rows = await tx
    .selectFrom("incident_changes")
    .innerJoin("executions", "executions.id", "incident_changes.execution_id")
    .select(["incident_changes.execution_id", "incident_changes.job_id", "severity"])
    .select(sql<number>`extract(epoch from now() - at)::float8`.as("seconds"))
    .where("incident_id", "=", incidentId)
    .orderBy("at")
    .execute();
  return rows.map(({ severity, ...row }) => ({ ...row, severity: (severity ?? "info") as Severity }));
}
