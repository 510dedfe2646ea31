import type { Detector } from "#checks/deps.ts";
import { rulesOf } from "#checks/inherit.ts";
import { lookBackThrough } from "#checks/see-through.ts";
import { readSnapshot } from "#checks/snapshots.ts";
import { RuleFailure } from "#checks/took-too-much.ts";
import type { Trigger } from "#contract/job.ts";
import { viewerPath } from "#contract/links.ts";
import { planById } from "#contract/plans.ts";
import { cut, type PlaceholderValues } from "#delivery/fill-placeholders.ts";
import { type ChangeRecord, changedTexts, readChange } from "#history/read-change.ts";
import { openTrigger } from "#jobs/rules.ts";
import { findAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import { keptOf } from "#storage/executions.ts";
import { insertLogs, type LogLine } from "#storage/logs.ts";
import type { NotificationRow } from "#storage/notifications.ts";
import { countOlderTriggers, insertTriggerRun } from "#storage/trigger-runs.ts";
import type { Deps } from "./deps.ts";

/** What is to be written so that a change fires its job's trigger; undefined when it has none. */
export async function planTrigger(
  deps: Deps,
  notification: NotificationRow,
): Promise<((tx: Database) => Promise<void>) | undefined> {
  const { account_id, job_id, execution_id, id } = notification;
  if (!job_id || !execution_id) return undefined;
  const change = await readChange(deps, account_id, job_id, execution_id);
  const trigger = change && openTrigger(deps.secrets, change.job);
  if (!change || !trigger) return undefined;
  const { isFired, line } = await decideToFire(deps, change, trigger.strings);
  return async (tx) => {
    const runId = isFired
      ? await insertTriggerRun(tx, { account_id, job_id, execution_id, notification_id: id })
      : undefined;
    if (runId) await deps.queue.send(tx, "trigger", { runId });
    if (line) await insertLogs(tx, job_id, [line], execution_id);
  };
}

type Decision = { isFired: boolean; line?: LogLine };

async function decideToFire(deps: Deps, change: ChangeRecord, strings: string[]): Promise<Decision> {
  const notFired = (why: string): Decision => ({
    isFired: false,
    line: { level: "info", meta: `Trigger not fired: ${why}` },
  });
  const { job } = change;
  const account = await findAccount(deps.db, job.account_id);
  const plan = planById(account?.plan_id ?? "basic");
  if (
    plan.triggers !== null &&
    (await countOlderTriggers(deps.db, job.account_id, job.id)) >= plan.triggers
  ) {
    return notFired(`the ${plan.name} plan allows ${plan.triggers}`);
  }
  if (strings.length === 0) return { isFired: true };
  const none = notFired("none of its strings stands in the new content");
  const source = await readSource(deps, change);
  if (!source) return none;
  try {
    return (await holdsOneOf(deps, job.account_id, source, strings)) === false ? none : { isFired: true };
  } catch (error) {
    if (!(error instanceof RuleFailure)) throw error;
    // Fired where nobody can say: one time too many is better than one too few.
    const meta = `Trigger fired, though its strings could not be looked for: ${error.message}`;
    return { isFired: true, line: { level: "warn", meta } };
  }
}

/** What was captured, through the job's rules. */
async function readSource(deps: Deps, { job, execution }: ChangeRecord) {
  const kept = keptOf(execution);
  if (!kept) return null;
  const taken = await readSnapshot(deps, job.account_id, kept);
  const detector = deps.detector.for(job.account_id);
  const { snapshot } = await lookBackThrough({ detector }, taken, rulesOf(job));
  const { html, text } = snapshot;
  return { html, text };
}

/** Which strings stand in the new content, one a line; looked for only where the trigger speaks of them. */
export async function matchedStrings(deps: Deps, change: ChangeRecord, trigger: Trigger): Promise<string> {
  const strings = [...new Set([...trigger.strings, ...(change.job.lookup?.strings ?? [])])];
  if (strings.length === 0 || !/\{\{\s*matched\s*\}\}/.test(trigger.url + trigger.body)) return "";
  const source = await readSource(deps, change);
  if (!source) return "";
  const found: string[] = [];
  for (const one of strings) {
    const holds = holdsOneOf(deps, change.job.account_id, source, [one]);
    // What cannot be looked for is not said to be there.
    if (await holds.catch(unlessRuleFailed)) found.push(one);
  }
  return found.join("\n");
}

type Source = Parameters<Detector["holdsOneOf"]>[0]["source"];

/** Whether one of the strings stands in a content; undefined when the search takes too long. */
async function holdsOneOf(deps: Deps, accountId: string, source: Source, strings: string[]) {
  return deps.detector.for(accountId).holdsOneOf({ source, strings });
}

function unlessRuleFailed(error: unknown): false {
  if (error instanceof RuleFailure) return false;
  throw error;
}

const textLimit = 4_000;

/** What the placeholders of a trigger stand for. */
export function placeholderValues(
  baseUrl: string,
  change: ChangeRecord,
  eventId: string,
  matched: string,
): PlaceholderValues {
  const { job, execution, before, findings } = change;
  const texts = changedTexts(change.reasons);
  const joined = (side: "added" | "removed") =>
    cut(
      texts
        .map((text) => text[side])
        .filter((text) => text !== null)
        .join("\n"),
      textLimit,
    );
  return {
    "event.id": eventId,
    "job.id": job.id,
    "job.name": job.name,
    "job.url": job.url,
    "job.group": job.group_name,
    "execution.id": execution.id,
    "execution.time": execution.created_at.toISOString(),
    "status.before": before?.status_code ?? null,
    "status.after": execution.status_code,
    similarity: execution.similarity === null ? null : Math.round(execution.similarity * 100) / 100,
    severity: execution.severity ?? "info",
    matched,
    summary: execution.summary,
    added: joined("added"),
    removed: joined("removed"),
    findings: findings
      .slice(0, 50)
      .map(({ kind, severity, value, where }) => ({ kind, severity, value: cut(value, 500), where })),
    link: `${baseUrl}${viewerPath(job.id, execution.id)}`,
    value: Object.fromEntries(
      Object.entries(execution.followed ?? {}).map(([name, { text, number }]) => [name, number ?? text]),
    ),
  };
}
