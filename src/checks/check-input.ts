import type { CaptureRequest } from "#capture/capture-page.ts";
import type { Evidence } from "#capture/plain-http/http-evidence.ts";
import type { AlertIf } from "#contract/alert-if.ts";
import type { Lookup } from "#contract/job.ts";
import type { Follow, Values } from "#detection/followed-values/followed-values.ts";
import { type NoiseMemory } from "#detection/noise-memory/noise-memory.ts";
import type { Rules } from "#detection/selectors-and-ignore-rules/rules.ts";
import { inherit, rulesOf } from "#group-defaults/inherit.ts";
import { openPageSteps } from "#page-requests/open-page-steps.ts";
import { openRequest } from "#page-requests/open-request.ts";
import { planById } from "#plans/plans.ts";
import { openProxies } from "#proxies/open-proxies.ts";
import { findAccount } from "#storage/accounts.ts";
import { unlessLost } from "#storage/blobs.ts";
import { type CaptureCache, openCaptureCache } from "#storage/contents.ts";
import type { Kept } from "#storage/executions.ts";
import type { JobRow, JobToCheck } from "#storage/jobs.ts";
import { insertLogs, type LogLine } from "#storage/logs.ts";
import type { Deps } from "./deps.ts";
import { readStoredCapture } from "./store-capture.ts";
import type { StoredCapture } from "./stored-capture.ts";

/** What a check works with: how the page is captured, which rules apply, and what is known from earlier checks. */
export type CheckInput = {
  request: CaptureRequest;
  /** The job's own selector and ignore rules, or those of its group. */
  rules: Rules;
  /** Whether the selector may match nothing yet. */
  isAwaited: boolean;
  /** Strings whose appearance or removal is alerted; null if the plan doesn't include them. */
  lookup: Lookup | null;
  /** Values to read from each capture, and what was read from the last complete one. */
  follow: Follow[];
  lastValues: Values | null;
  /** Which changes are alerted; null for all. */
  alertIf: AlertIf | null;
  memory: NoiseMemory | null;
  /** The last complete capture; read only when something is compared with it. */
  baseline: { read: () => Promise<StoredCapture>; kept: Kept } | null;
  cache: CaptureCache;
};

export async function readCheckInput(
  deps: Pick<Deps, "db" | "blobs" | "secrets">,
  job: JobToCheck,
  isRetry: boolean,
): Promise<CheckInput> {
  const cache = openCaptureCache(deps, job.account_id);
  const baseline = await findBaseline(deps, job, cache, isRetry);
  return {
    request: {
      ...openRequest(deps.secrets, job, new Date()),
      waitFor: job.wait_for,
      pageSteps: openPageSteps(deps, job),
      browser: inherit(job, "browser"),
      proxies: await openProxies(deps, job.account_id, inherit(job, "proxies")),
      previous: baseline ? (job.evidence as Evidence | null) : null,
    },
    rules: rulesOf(job),
    isAwaited: job.awaited,
    lookup: job.lookup && (await mayLookUp(deps, job)) ? job.lookup : null,
    follow: job.follow,
    lastValues: job.baseline?.followed ?? null,
    alertIf: inherit(job, "alertIf"),
    memory: job.memory as NoiseMemory | null,
    baseline,
    cache,
  };
}

/**
 * Finds the last complete capture. If the store lost it, a retried check goes on without it; otherwise the check would
 * fail forever.
 */
async function findBaseline(
  deps: Pick<Deps, "db" | "blobs">,
  job: JobToCheck,
  cache: CaptureCache,
  isRetry: boolean,
): Promise<CheckInput["baseline"]> {
  const { baseline: kept } = job;
  if (!kept) return null;
  const read = once(() => readStoredCapture(deps, job.account_id, kept, cache));
  if (isRetry && !(await read().catch(unlessLost))) {
    await insertLogs(deps.db, job.id, [baselineLost]);
    return null;
  }
  return { kept, read };
}

const baselineLost: LogLine = {
  level: "error",
  meta: "The previous capture is missing from storage: this one is the new baseline",
};

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

async function mayLookUp({ db }: Pick<Deps, "db">, job: JobRow): Promise<boolean> {
  const account = await findAccount(db, job.account_id);
  return account !== undefined && planById(account.plan_id).textLookup;
}
