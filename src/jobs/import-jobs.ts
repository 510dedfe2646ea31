import { sql } from "kysely";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { ImportItem, ImportReply } from "#contract/import.ts";
import { NewJob } from "#contract/job.ts";
import { planById } from "#contract/plans.ts";
import { findAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import { findGroupByName, listGroups } from "#storage/groups.ts";
import { createJob } from "./create-job.ts";
import type { Deps } from "./deps.ts";
import { addGroup } from "./groups.ts";
import { type Draft, UnreadableFile } from "./importing/draft.ts";
import { readImport } from "./importing/read-import.ts";
import { assertTarget } from "./rules.ts";

const usualMinutes = 60;
const usualGroup = "Imported";

class TriedOnly extends Error {}

/**
 * Makes jobs of a file. Tried or done, each passes the checks of any new job, in one transaction that a trial takes back;
 * what cannot become a job is told and left out.
 */
export async function importJobs(
  deps: Deps,
  actor: Actor,
  input: { bytes: Buffer; dryRun: boolean },
): Promise<ImportReply> {
  const file = await readImport(input.bytes).catch((error: unknown) => {
    throw error instanceof UnreadableFile
      ? new AppError("INVALID_INPUT", error.message, { field: "file" })
      : error;
  });
  const account = await findAccount(deps.db, actor.accountId);
  if (!account) throw new AppError("UNAUTHENTICATED");
  const { minimumMinutes, groups: maximumGroups } = planById(account.plan_id);
  const items: ImportItem[] = [];
  const refusals = await refuseTargets(deps, file.drafts);
  try {
    await deps.db.transaction().execute(async (tx) => {
      for (const [at, draft] of file.drafts.entries()) {
        const notes = [...draft.left];
        const wanted = draft.frequency ?? usualMinutes;
        const frequency = Math.max(wanted, minimumMinutes);
        if (frequency > wanted)
          notes.push(`Checked every ${frequency} minutes, not ${wanted}: your plan allows no less.`);
        const group = maximumGroups === 1 ? await onlyGroup(tx, actor) : (draft.group ?? usualGroup);
        const item = describe(draft, group, frequency, notes);
        items.push(item);
        const refusal = refusals[at];
        if (refusal) item.problem = refusal;
        else item.problem = await tryOne(deps, tx, actor, draft, item);
      }
      if (input.dryRun) throw new TriedOnly();
    });
  } catch (error) {
    if (!(error instanceof TriedOnly)) throw error;
  }
  const taken = items.filter(({ problem }) => problem === null).length;
  return { format: file.format, dryRun: input.dryRun, taken, items, channels: file.channels };
}

/** Names are resolved before, so that no lock is held meanwhile. */
async function refuseTargets(deps: Deps, drafts: Draft[]): Promise<(string | null)[]> {
  const refusals: (string | null)[] = [];
  for (let at = 0; at < drafts.length; at += 20) {
    const some = drafts.slice(at, at + 20).map(async ({ url }) => {
      if (url === "") return "It has no address.";
      return assertTarget(deps, url).then(
        () => null,
        (error: unknown) => sentenceOf(error),
      );
    });
    refusals.push(...(await Promise.all(some)));
  }
  return refusals;
}

function sentenceOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  throw error;
}

/** Answers why it cannot be, or null; what failed leaves nothing behind. */
async function tryOne(
  deps: Deps,
  tx: Database,
  actor: Actor,
  draft: Draft,
  item: ImportItem,
): Promise<string | null> {
  await sql`savepoint one`.execute(tx);
  try {
    const known = await findGroupByName(tx, actor.accountId, item.group);
    const groupId = known?.id ?? (await addGroup(tx, actor, item.group)).id;
    const { name, url, headers, lookup, selector, awaited, waitFor, ignore } = draft;
    const given = {
      name,
      url,
      frequency: item.frequency,
      groupId,
      headers,
      lookup,
      selector,
      awaited,
      waitFor,
      ignore,
    };
    const { data, error } = NewJob.safeParse(given);
    if (!data) {
      const [issue] = error.issues;
      throw new AppError("INVALID_INPUT", `${issue?.path.join(".")}: ${issue?.message}`);
    }
    await createJob(deps, actor, data, { tx, paused: draft.paused });
    await sql`release savepoint one`.execute(tx);
    return null;
  } catch (error) {
    const sentence = sentenceOf(error);
    await sql`rollback to savepoint one`.execute(tx);
    return sentence;
  }
}

/** Where a plan has one group, everything goes into it. */
async function onlyGroup(tx: Database, { accountId }: Actor): Promise<string> {
  const [row] = await listGroups(tx, accountId);
  return row?.name ?? usualGroup;
}

function describe(draft: Draft, group: string, frequency: number, notes: string[]): ImportItem {
  const { name, url, paused, selector, ignore, lookup, headers, waitFor } = draft;
  return {
    name,
    url,
    group,
    frequency,
    paused,
    selector,
    ignore,
    lookup: lookup?.strings ?? [],
    headers: headers.map((header) => header.name),
    waitFor: waitFor !== null,
    notes,
    problem: null,
  };
}
