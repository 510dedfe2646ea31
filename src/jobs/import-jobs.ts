import { sql } from "kysely";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { ImportItem, ImportReply } from "#contract/import.ts";
import type { ImportStage } from "#contract/import-line.ts";
import { NewGroup, NewJob } from "#contract/job.ts";
import { planById } from "#contract/plans.ts";
import { findAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import { findGroupByName, listGroups } from "#storage/groups.ts";
import { bringSettings } from "./bring-settings.ts";
import { createJob } from "./create-job.ts";
import type { Deps } from "./deps.ts";
import { addGroup } from "./groups.ts";
import { type Draft, sayIssue, shorten } from "./importing/draft.ts";
import { moreOf } from "./importing/more-of.ts";
import type { ImportFile } from "./importing/read-import.ts";
import { openReadingThreads } from "./reading-threads.ts";
import { assertTarget } from "./rules.ts";
import { setJobStatus } from "./set-job-status.ts";
import { UnreadableFile } from "./unreadable-file.ts";

const usualMinutes = 60;
const usualGroup = "Imported";

// An account has one import under way (`server/compose.ts`), so with two threads nobody keeps all others from theirs.
const threads = openReadingThreads(new URL("./importing/thread.ts", import.meta.url), { threads: 2 });
// The largest file that is taken needs about two.
const readingSeconds = 20;

class TriedOnly extends Error {}

type Made = { id: string; draft: Draft };
type Told = (done: number, total: number) => void;

/** A draft, as far as its history is concerned. */
export type HistoryOf = Pick<Draft, "history">;

/** What an archive holds of the past of its jobs: kept first, apart from any job, so that no lock waits for it. */
export type BroughtHistory = {
  /** What comes with a draft, in words. */
  say(draft: HistoryOf): string | null;
  /** Looks through all of it and keeps what is wanted; refuses an archive that is not whole. */
  keep(isWanted: (at: number) => boolean, onProgress: Told): Promise<void>;
  /** Gives the jobs their past, within the transaction that makes them. */
  restore(tx: Database, made: Made[], onProgress: Told): Promise<void>;
  /** Lets go of what was kept and is not referred to. */
  drop(): Promise<void>;
  close(): Promise<void>;
};

export type ImportInput = {
  file: string;
  dryRun: boolean;
  /** Opens what the file holds of the past of its jobs; asked for only where it says that it holds some. */
  openPast?: (drafts: HistoryOf[]) => Promise<BroughtHistory>;
  onProgress?: (stage: ImportStage, done: number, total: number) => void;
  /** Whoever leaves before the end has imported nothing. */
  signal?: AbortSignal;
};

/**
 * Makes jobs of a file. Tried or done, each passes the checks of any new job, in one transaction that a trial takes back;
 * what cannot become a job is told and left out. A past comes with all its jobs, or nothing is made.
 */
export async function importJobs(deps: Deps, actor: Actor, input: ImportInput): Promise<ImportReply> {
  const { dryRun, signal } = input;
  const tell = (stage: ImportStage) => (done: number, total: number) => {
    signal?.throwIfAborted();
    input.onProgress?.(stage, done, total);
  };
  const file = await threads.run<ImportFile>("read", input.file, readingSeconds).catch(refuseFile);
  const refusals = await refuseTargets(deps, file.drafts, tell("addresses"));
  const hasPast = file.isZip && file.drafts.some(({ history }) => history);
  const history = hasPast ? await input.openPast?.(file.drafts).catch(refuseFile) : undefined;
  const attempt = (problems: (string | null)[], isTrial: boolean) =>
    makeJobs(deps, actor, { file, problems, isTrial, history, tell });
  if (!history) return attempt(refusals, dryRun);
  try {
    const trial = await attempt(refusals, true);
    const problems = trial.items.map(({ problem }) => problem);
    await history.keep((at) => !dryRun && problems[at] === null, tell("captures"));
    return dryRun ? trial : await attempt(problems, false);
  } catch (error) {
    await history.drop();
    return refuseFile(error);
  } finally {
    await history.close();
  }
}

function refuseFile(error: unknown): never {
  throw error instanceof UnreadableFile
    ? new AppError("INVALID_INPUT", error.message, { field: "file" })
    : error;
}

type Attempt = {
  file: ImportFile;
  /** Why no job comes of a draft, where that is known before. */
  problems: (string | null)[];
  isTrial: boolean;
  history?: BroughtHistory | undefined;
  tell: (stage: ImportStage) => Told;
};

async function makeJobs(
  deps: Deps,
  actor: Actor,
  { file, problems, isTrial, history, tell }: Attempt,
): Promise<ImportReply> {
  const account = await findAccount(deps.db, actor.accountId);
  if (!account) throw new AppError("UNAUTHENTICATED");
  const { minimumMinutes, groups: maximumGroups } = planById(account.plan_id);
  const items: ImportItem[] = [];
  const made: Made[] = [];
  const said = [...file.channels];
  const onProgress = tell("jobs");
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
        const past = history?.say(draft);
        if (past) item.more.push(past);
        items.push(item);
        const problem = problems[at];
        const outcome = problem ? { problem } : await tryOne(deps, tx, actor, { draft, group, frequency });
        if ("problem" in outcome) item.problem = outcome.problem;
        else made.push({ id: outcome.id, draft });
        onProgress(at + 1, file.drafts.length);
      }
      if (isTrial) throw new TriedOnly();
      await history?.restore(tx, made, tell("history"));
      for (const { id, draft } of made)
        if (draft.history && !draft.paused) await setJobStatus(deps, actor, id, "ACTIVE", tx);
    });
  } catch (error) {
    if (!(error instanceof TriedOnly)) throw error;
  }
  const taken = items.filter(({ problem }) => problem === null).length;
  return { format: file.format, dryRun: isTrial, taken, items, channels: said };
}

/** Names are resolved before, so that no lock is held meanwhile. */
async function refuseTargets(deps: Deps, drafts: Draft[], onProgress: Told): Promise<(string | null)[]> {
  const refusals: (string | null)[] = [];
  for (let at = 0; at < drafts.length; at += 20) {
    const some = drafts.slice(at, at + 20).map(async ({ url, problem }) => {
      if (problem) return problem;
      if (url === "") return "It has no address.";
      return assertTarget(deps, url).then(
        () => null,
        (error: unknown) => sentenceOf(error),
      );
    });
    refusals.push(...(await Promise.all(some)));
    onProgress(refusals.length, drafts.length);
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
  { draft, group, frequency }: { draft: Draft; group: string; frequency: number },
): Promise<{ id: string } | { problem: string }> {
  await sql`savepoint one`.execute(tx);
  try {
    const groupId = await groupNamed(tx, actor, group);
    const { name, url, headers, lookup, selector, awaited, waitFor, ignore, request, rest, history } = draft;
    const given = {
      request,
      ...rest,
      name,
      url,
      frequency,
      groupId,
      headers,
      lookup,
      selector,
      awaited,
      waitFor,
      ignore,
    };
    const { data, error } = NewJob.safeParse(given);
    if (!data) throw new AppError("INVALID_INPUT", sayIssue(error));
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

/** A group of this name, made where there is none; its name is judged as a new group's is. */
async function groupNamed(tx: Database, actor: Actor, name: string): Promise<string> {
  const { data, error } = NewGroup.safeParse({ name });
  if (!data) throw new AppError("INVALID_INPUT", `group: ${error.issues[0]?.message}`);
  const known = await findGroupByName(tx, actor.accountId, data.name);
  return known?.id ?? (await addGroup(tx, actor, data.name)).id;
}

/** Where a plan has one group, everything goes into it. */
async function onlyGroup(tx: Database, { accountId }: Actor): Promise<string> {
  const [row] = await listGroups(tx, accountId);
  return row?.name ?? usualGroup;
}

// What is shown of each job: with a thousand of them an answer stays below some megabytes.
const shown = { address: 500, text: 100, sentence: 300, entries: 10 };

function describe(draft: Draft, group: string, frequency: number, notes: string[]): ImportItem {
  const { name, url, paused, selector, ignore, lookup, headers, waitFor } = draft;
  return {
    name,
    url: shorten(url, shown.address),
    group: shorten(group, 2 * shown.text),
    frequency,
    paused,
    selector: selector && shorten(selector, 5 * shown.text),
    ignore: showSome(ignore),
    lookup: showSome(lookup?.strings ?? []),
    headers: showSome(headers.map((header) => header.name)),
    waitFor: waitFor !== null,
    more: moreOf(draft).map((sentence) => shorten(sentence, shown.sentence)),
    notes,
    problem: null,
  };
}

function showSome(list: string[]): string[] {
  const some = list.slice(0, shown.entries).map((text) => shorten(text, shown.text));
  return list.length > some.length ? [...some, `… and ${list.length - some.length} more`] : some;
}
