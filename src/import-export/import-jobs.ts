import { sql } from "kysely";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { ImportItem, ImportReply } from "#contract/import.ts";
import type { ImportStage } from "#contract/import-line.ts";
import { NewGroup, NewJob } from "#contract/job.ts";
import { nameFromUrl } from "#contract/job-name.ts";
import { toPageUrl } from "#contract/page-url.ts";
import { UnreadableFile } from "#contract/unreadable-file.ts";
import { createJob } from "#jobs/create-job.ts";
import type { Deps } from "#jobs/deps.ts";
import { addGroup } from "#jobs/groups.ts";
import { assertTarget } from "#jobs/rules.ts";
import { setJobStatus } from "#jobs/set-job-status.ts";
import { assertPageSteps } from "#page-steps/assert-page-steps.ts";
import { planById } from "#plans/plans.ts";
import { restoreSiteRules } from "#site-rules/archive-site-rules.ts";
import { findAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import { findGroupByName, listGroups } from "#storage/groups.ts";
import { hasJobWithUrl } from "#storage/jobs.ts";
import { setSiteScope } from "#storage/sites.ts";
import { openLimitedThreads } from "#worker-threads/limited-threads.ts";
import { importSettings } from "./account-archive/import-settings.ts";
import { describeOtherSettings } from "./readers/describe-other-settings.ts";
import { type Draft, describeIssue, shorten } from "./readers/draft.ts";
import type { ImportFile } from "./readers/read-import.ts";

const defaultMinutes = 60;
const defaultGroup = "Imported";

// An account runs one import at a time (`server/startup/compose.ts`), so with two threads no account can block all others.
const threads = openLimitedThreads(new URL("./readers/thread.ts", import.meta.url), { threads: 2 });
// The largest accepted file needs about two seconds.
const readingSeconds = 20;

class DryRunRollback extends Error {}

type CreatedJob = { id: string; draft: Draft };
type Progress = (done: number, total: number) => void;

/** The part of a draft that concerns its history. */
export type DraftHistory = Pick<Draft, "history">;

/** The history of an archive's jobs. It is stored first, apart from any job, so that no lock is held meanwhile. */
export type ImportedHistory = {
  /** Describes the history that comes with a draft. */
  say(draft: DraftHistory): string | null;
  /** Verifies everything and stores what is wanted; refuses an incomplete archive. */
  keep(isWanted: (at: number) => boolean, onProgress: Progress): Promise<void>;
  /** Gives the jobs their history, in the transaction that creates them. */
  restore(tx: Database, made: CreatedJob[], onProgress: Progress): Promise<void>;
  /** Drops stored contents that nothing refers to. */
  drop(): Promise<void>;
  close(): Promise<void>;
};

export type ImportInput = {
  file: string;
  dryRun: boolean;
  /** Opens the history in the file; called only if the file says that it has one. */
  openImportedHistory?: (drafts: DraftHistory[]) => Promise<ImportedHistory>;
  onProgress?: (stage: ImportStage, done: number, total: number) => void;
  /** If the caller aborts before the end, nothing is imported. */
  signal?: AbortSignal;
};

/**
 * Creates jobs from a file. Even in a dry run, each job passes the checks of a new job, in one transaction that a dry
 * run rolls back; entries that can't become a job are reported and left out. History is imported for all created jobs,
 * or nothing is created.
 */
export async function importJobs(deps: Deps, actor: Actor, input: ImportInput): Promise<ImportReply> {
  const { dryRun, signal } = input;
  const tell = (stage: ImportStage) => (done: number, total: number) => {
    signal?.throwIfAborted();
    input.onProgress?.(stage, done, total);
  };
  const file = await threads.run<ImportFile>("read", input.file, readingSeconds).catch(refuseFile);
  const refusals = await refuseTargets(deps, file.drafts, tell("addresses"));
  const hasHistory = file.isZip && file.drafts.some(({ history }) => history);
  const history = hasHistory ? await input.openImportedHistory?.(file.drafts).catch(refuseFile) : undefined;
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
  /** Why a draft can't become a job, if that is already known. */
  problems: (string | null)[];
  isTrial: boolean;
  history?: ImportedHistory | undefined;
  tell: (stage: ImportStage) => Progress;
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
  const made: CreatedJob[] = [];
  const messages = [...file.channels];
  const onProgress = tell("jobs");
  try {
    await deps.db.transaction().execute(async (tx) => {
      if (file.own) messages.push(...(await importSettings(deps, tx, actor, file.own)));
      for (const [at, draft] of file.drafts.entries()) {
        const notes = [...draft.left];
        const wanted = draft.frequency ?? defaultMinutes;
        const frequency = Math.max(wanted, minimumMinutes);
        if (frequency > wanted)
          notes.push(
            `Checked every ${frequency} minutes instead of ${wanted}: that’s your plan’s minimum interval.`,
          );
        const group = maximumGroups === 1 ? await onlyGroup(tx, actor) : (draft.group ?? defaultGroup);
        const item = describe(draft, group, frequency, notes);
        const historyText = history?.say(draft);
        if (historyText) item.more.push(historyText);
        items.push(item);
        const problem = problems[at];
        const outcome = problem ? { problem } : await tryJob(deps, tx, actor, { draft, group, frequency });
        if ("problem" in outcome) item.problem = outcome.problem;
        else made.push({ id: outcome.id, draft });
        onProgress(at + 1, file.drafts.length);
      }
      messages.push(...(await restoreSites(tx, actor, file, made)));
      if (isTrial) throw new DryRunRollback();
      await history?.restore(tx, made, tell("history"));
      for (const { id, draft } of made)
        if (draft.history && !draft.paused) await setJobStatus(deps, actor, id, "ACTIVE", tx);
    });
  } catch (error) {
    if (!(error instanceof DryRunRollback)) throw error;
  }
  const taken = items.filter(({ problem }) => problem === null).length;
  return { format: file.format, dryRun: isTrial, taken, items, channels: messages };
}

/** Gives the sites of an archive their rules and scope lists, which name other jobs of it. */
async function restoreSites(
  tx: Database,
  actor: Actor,
  { own, drafts }: ImportFile,
  made: CreatedJob[],
): Promise<string[]> {
  const ids = new Map(made.map(({ id, draft }) => [draft, id]));
  const messages: string[] = [];
  for (const { id, draft } of made) {
    const { site } = draft.rest;
    if (!site?.scope) continue;
    // The folder of a job's history is named after the id that it had.
    const list = drafts.find(({ history }) => history?.folder.endsWith(`-${site.scope}`));
    const scope = (list && ids.get(list)) ?? null;
    await setSiteScope(tx, actor.accountId, id, scope);
    if (!scope) messages.push(`Choose the scope list of ${draft.name} again: its job isn’t imported.`);
  }
  if (!own) return messages;
  const jobIdAt = (position: number) => {
    const draft = drafts[position];
    return draft && ids.get(draft);
  };
  return [...messages, ...(await restoreSiteRules(tx, actor, own.siteRules, jobIdAt))];
}

/** Host names are resolved before the transaction, so that no lock is held in the meantime. */
async function refuseTargets(deps: Deps, drafts: Draft[], onProgress: Progress): Promise<(string | null)[]> {
  const refusals: (string | null)[] = [];
  for (let at = 0; at < drafts.length; at += 20) {
    const batch = drafts.slice(at, at + 20).map(async ({ url, problem, rest }) => {
      if (problem) return problem;
      if (url === "") return "It has no URL.";
      return assertTarget(deps, url)
        .then(() => assertPageSteps(deps, rest.pageSteps))
        .then(
          () => null,
          (error: unknown) => sentenceOf(error),
        );
    });
    refusals.push(...(await Promise.all(batch)));
    onProgress(refusals.length, drafts.length);
  }
  return refusals;
}

function sentenceOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  throw error;
}

/** Returns the new job's id, or why it can't be created; a failure leaves nothing behind. */
async function tryJob(
  deps: Deps,
  tx: Database,
  actor: Actor,
  { draft, group, frequency }: { draft: Draft; group: string; frequency: number },
): Promise<{ id: string } | { problem: string }> {
  await sql`savepoint one`.execute(tx);
  try {
    const groupId = await ensureGroup(tx, actor, group);
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
    if (!data) throw new AppError("INVALID_INPUT", describeIssue(error));
    // Without names, nothing else would tell that a list was imported before.
    if (name === "" && (await hasJobWithUrl(tx, groupId, toPageUrl(url))))
      throw new AppError("INVALID_INPUT", "The group already has a job for this URL.");
    // A job with history starts paused, so that it isn't checked before its history is restored.
    const id = await createJob(deps, actor, data, { tx, paused: draft.paused || history !== null });
    await sql`release savepoint one`.execute(tx);
    return { id };
  } catch (error) {
    const sentence = sentenceOf(error);
    await sql`rollback to savepoint one`.execute(tx);
    return { problem: sentence };
  }
}

/** Finds or creates the group with this name; the name is validated like a new group's. */
async function ensureGroup(tx: Database, actor: Actor, name: string): Promise<string> {
  const { data, error } = NewGroup.safeParse({ name });
  if (!data) throw new AppError("INVALID_INPUT", `group: ${error.issues[0]?.message}`);
  const known = await findGroupByName(tx, actor.accountId, data.name);
  return known?.id ?? (await addGroup(tx, actor, data.name)).id;
}

/** The account's group if its plan allows only one: everything goes into it. */
async function onlyGroup(tx: Database, { accountId }: Actor): Promise<string> {
  const [row] = await listGroups(tx, accountId);
  return row?.name ?? defaultGroup;
}

// Limits on what the reply shows of each job: with a thousand jobs it stays below a few megabytes.
const replyLimits = { address: 500, text: 100, sentence: 300, entries: 10 };

function describe(draft: Draft, group: string, frequency: number, notes: string[]): ImportItem {
  const { name, url, paused, selector, ignore, lookup, headers, waitFor } = draft;
  return {
    name: name || nameFromUrl(url),
    url: shorten(toPageUrl(url), replyLimits.address),
    group: shorten(group, 2 * replyLimits.text),
    frequency,
    paused,
    selector: selector && shorten(selector, 5 * replyLimits.text),
    ignore: showSome(ignore),
    lookup: showSome(lookup?.strings ?? []),
    headers: showSome(headers.map((header) => header.name)),
    waitFor: waitFor !== null,
    more: describeOtherSettings(draft).map((sentence) => shorten(sentence, replyLimits.sentence)),
    notes,
    problem: null,
  };
}

function showSome(list: string[]): string[] {
  const some = list.slice(0, replyLimits.entries).map((text) => shorten(text, replyLimits.text));
  return list.length > some.length ? [...some, `… and ${list.length - some.length} more`] : some;
}
