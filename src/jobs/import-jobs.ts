import { sql } from "kysely";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { ImportItem, ImportReply } from "#contract/import.ts";
import { NewJob } from "#contract/job.ts";
import { planById } from "#contract/plans.ts";
import { findAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import { findGroupByName, listGroups } from "#storage/groups.ts";
import { bringSettings } from "./bring-settings.ts";
import { createJob } from "./create-job.ts";
import type { Deps } from "./deps.ts";
import { addGroup } from "./groups.ts";
import { type Draft, UnreadableFile } from "./importing/draft.ts";
import { moreOf } from "./importing/more-of.ts";
import { isZip, readImport } from "./importing/read-import.ts";
import { assertTarget } from "./rules.ts";
import { setJobStatus } from "./set-job-status.ts";

const usualMinutes = 60;
const usualGroup = "Imported";

class TriedOnly extends Error {}

/** Whether a file is a ZIP, which may hold a past. */
export const isArchive = (file: string): Promise<boolean> => isZip(file);

/** What an archive holds of the past of its jobs; it is looked through before anything is made. */
export type BroughtHistory = {
  /** What comes with each draft, in words; refuses an archive that is not whole. */
  look(drafts: Draft[]): Promise<string[]>;
  bring(jobId: string, draft: Draft): Promise<void>;
};

/**
 * Makes jobs of a file. Tried or done, each passes the checks of any new job, in one transaction that a trial takes back;
 * what cannot become a job is told and left out.
 */
export async function importJobs(
  deps: Deps,
  actor: Actor,
  input: { file: Buffer | string; dryRun: boolean; history?: BroughtHistory },
): Promise<ImportReply> {
  const refuse = (error: unknown) => {
    throw error instanceof UnreadableFile
      ? new AppError("INVALID_INPUT", error.message, { field: "file" })
      : error;
  };
  const file = await readImport(input.file).catch(refuse);
  const past = (await input.history?.look(file.drafts).catch(refuse)) ?? [];
  const account = await findAccount(deps.db, actor.accountId);
  if (!account) throw new AppError("UNAUTHENTICATED");
  const { minimumMinutes, groups: maximumGroups } = planById(account.plan_id);
  const items: ImportItem[] = [];
  const made: { id: string; draft: Draft; item: ImportItem }[] = [];
  const said = [...file.channels];
  const refusals = await refuseTargets(deps, file.drafts);
  try {
    await deps.db.transaction().execute(async (tx) => {
      if (file.own) said.push(...(await bringSettings(deps, tx, actor, file.own)));
      for (const [at, draft] of file.drafts.entries()) {
        const notes = [...draft.left];
        const wanted = draft.frequency ?? usualMinutes;
        const frequency = Math.max(wanted, minimumMinutes);
        if (frequency > wanted)
          notes.push(`Checked every ${frequency} minutes, not ${wanted}: your plan allows no less.`);
        const group = maximumGroups === 1 ? await onlyGroup(tx, actor) : (draft.group ?? usualGroup);
        const item = describe(draft, group, frequency, notes);
        if (past[at]) item.more.push(past[at]);
        items.push(item);
        const refusal = refusals[at];
        if (refusal) item.problem = refusal;
        else {
          const outcome = await tryOne(deps, tx, actor, draft, item);
          if ("problem" in outcome) item.problem = outcome.problem;
          else made.push({ id: outcome.id, draft, item });
        }
      }
      if (input.dryRun) throw new TriedOnly();
    });
  } catch (error) {
    if (!(error instanceof TriedOnly)) throw error;
  }
  if (!input.dryRun && input.history) {
    for (const { id, draft, item } of made) {
      if (!draft.history) continue;
      await input.history.bring(id, draft).catch(() => {
        item.notes.push("Its history could not be brought along.");
      });
      if (!draft.paused) await setJobStatus(deps, actor, id, "ACTIVE");
    }
  }
  const taken = items.filter(({ problem }) => problem === null).length;
  return { format: file.format, dryRun: input.dryRun, taken, items, channels: said };
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

/** Answers the new job, or why it cannot be; what failed leaves nothing behind. */
async function tryOne(
  deps: Deps,
  tx: Database,
  actor: Actor,
  draft: Draft,
  item: ImportItem,
): Promise<{ id: string } | { problem: string }> {
  await sql`savepoint one`.execute(tx);
  try {
    const known = await findGroupByName(tx, actor.accountId, item.group);
    const groupId = known?.id ?? (await addGroup(tx, actor, item.group)).id;
    const { name, url, headers, lookup, selector, awaited, waitFor, ignore, request, rest, history } = draft;
    const given = {
      request,
      ...rest,
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
    // Nothing is checked before its past is there.
    const id = await createJob(deps, actor, data, { tx, paused: draft.paused || history !== null });
    await sql`release savepoint one`.execute(tx);
    return { id };
  } catch (error) {
    const sentence = sentenceOf(error);
    await sql`rollback to savepoint one`.execute(tx);
    return { problem: sentence };
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
    more: moreOf(draft),
    notes,
    problem: null,
  };
}
