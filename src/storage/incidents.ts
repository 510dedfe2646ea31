import { sql } from "kysely";
import type { Database } from "./database.ts";
import type { IncidentNoise, IncidentOpinion } from "./incident-tables.ts";

export async function findIncident(db: Database, incidentId: string) {
  return db.selectFrom("incidents").selectAll().where("id", "=", incidentId).executeTakeFirst();
}

/** The jobs whose changes belong to an incident. */
export async function listIncidentJobs(
  db: Database,
  accountId: string,
  incidentId: string,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom("incident_changes")
    .innerJoin("jobs", "jobs.id", "incident_changes.job_id")
    .select(["jobs.id", "jobs.name"])
    .distinct()
    .where("incident_changes.account_id", "=", accountId)
    .where("incident_id", "=", incidentId)
    .execute();
}

/** Moves changes to another incident; returns how many were moved. */
export async function moveChanges(
  tx: Database,
  accountId: string,
  { from, to, executionIds }: { from: string[]; to: string; executionIds?: string[] },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("incident_changes")
    .set({ incident_id: to })
    .where("account_id", "=", accountId)
    .where("incident_id", "in", from)
    .$if(executionIds !== undefined, (query) => query.where("execution_id", "in", executionIds ?? []))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Removes incidents whose changes are gone or were moved. */
export async function deleteEmptyIncidents(db: Database, accountId?: string): Promise<void> {
  await sql`
    delete from incidents where created_at < now() - ${accountId ? "0 seconds" : "1 hour"}::interval
      and ${accountId ? sql`account_id = ${accountId}` : sql`true`}
      and not exists (select from incident_changes where incident_id = incidents.id)
  `.execute(db);
}

/** An incident that somebody made is shown, however few pages it has. */
export async function markAsMadeByHand(tx: Database, accountId: string, incidentId: string): Promise<void> {
  await tx
    .updateTable("incidents")
    .set({ by_hand: true })
    .where("id", "=", incidentId)
    .where("account_id", "=", accountId)
    .execute();
}

/** Says of all changes of an incident whether they are noise; returns how many there are. */
export async function wantNoise(
  tx: Database,
  accountId: string,
  incidentId: string,
  isWanted: boolean,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("incident_changes")
    .set({ noise_wanted: isWanted })
    .where("account_id", "=", accountId)
    .where("incident_id", "=", incidentId)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** The next change of an incident that isn't yet marked or unmarked as it should be. */
export async function findNoiseToDo(db: Database, incidentId: string) {
  return db
    .selectFrom("incident_changes")
    .select(["execution_id", "account_id", "job_id", "noise_wanted", "noise"])
    .where("incident_id", "=", incidentId)
    .where(sql<boolean>`noise_wanted = (noise is null)`)
    .orderBy("at")
    .orderBy("execution_id")
    .executeTakeFirst();
}

/** Saves what marking a change taught its job. False if the user has taken that back meanwhile. */
export async function saveNoise(
  db: Database,
  executionId: string,
  noise: IncidentNoise | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("incident_changes")
    .set({ noise: noise && JSON.stringify(noise) })
    .where("execution_id", "=", executionId)
    .where("noise_wanted", "=", noise !== null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function saveIncidentOpinion(
  tx: Database,
  incidentId: string,
  opinion: IncidentOpinion | null,
): Promise<void> {
  await tx
    .updateTable("incidents")
    .set({ opinion: opinion && JSON.stringify(opinion) })
    .where("id", "=", incidentId)
    .execute();
}
