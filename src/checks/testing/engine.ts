import { setTimeout as sleep } from "node:timers/promises";
import type { QueueTuning } from "#queue/queue.ts";
import { startCaptureWorker, type WorkerSettings } from "#server/background-tasks/start-capture-worker.ts";
import { startTestApp } from "#server/testing/test-app.ts";
import { createStandInSite } from "./page.ts";

export type TestEngine = Awaited<ReturnType<typeof startTestEngine>>;
/** Has no `close`, because other test files use it too: it ends with the worker. */
export type SharedEngine = Omit<TestEngine, "close">;

let shared: Promise<TestEngine> | undefined;

/**
 * The engine that all test files of a worker share: starting one costs as much processor time as ten checks. Each test
 * makes its own account; a test that stops, floods or configures the product starts its own engine.
 */
export async function sharedEngine(): Promise<SharedEngine> {
  shared ??= startTestEngine();
  const engine = await shared;
  engine.site.reset();
  return engine;
}

/** The product with its workers running; only the site that it captures is a stand-in. */
export async function startTestEngine(
  options: {
    capturing?: boolean;
    concurrency?: number;
    database?: string;
    environment?: Record<string, string>;
    confirmAfterMs?: number;
    crawl?: WorkerSettings["crawl"];
    tuning?: QueueTuning;
  } = {},
) {
  const test = await startTestApp(
    {
      EGRESS_ALLOW: "127.0.0.0/8",
      // Tests that wait poll more often than users do.
      RATE_LIMIT_PER_MINUTE: "100000",
      CAPTURE_CONCURRENCY: String(options.concurrency ?? 2),
      ...options.environment,
    },
    options.database,
    options.tuning,
  );
  const site = createStandInSite();
  const stop =
    options.capturing === false
      ? undefined
      : await startCaptureWorker(test.app, {
          capture: site.capture,
          confirmAfterMs: options.confirmAfterMs ?? 0,
          crawl: options.crawl,
        });

  async function waitFor<T>(what: string, poll: () => Promise<T | undefined | false | null>): Promise<T> {
    const end = performance.now() + 120_000;
    for (let attempt = 0; performance.now() < end; attempt++) {
      const result = await poll();
      if (result) return result;
      // Polls less often the longer it takes, because polling costs more than waiting.
      await sleep(Math.min(25 + 5 * attempt, 100));
    }
    const problems = test.log.filter((line) => !line.includes('"level":20') && line.includes('"err"'));
    throw new Error(`${what} did not come\n${problems.slice(-3).join("\n")}`);
  }

  /** A signed-in user on a plan, with a group. */
  async function person(plan: "basic" | "professional" | "ultimate" = "ultimate") {
    const { token, email, accountId } = await test.addAccount(plan);
    const call = (method: string, url: string, body?: unknown) => test.call(method, url, body, { token });
    const group = await call("POST", "/api/jobs/groups", { name: "Group" });
    const groupId = String(group.body.id);

    let number = 0;
    async function createJob(input: object = {}): Promise<string> {
      number++;
      const settings = {
        name: `Job ${number}`,
        url: `http://127.0.0.1:8080/${number}`,
        frequency: 60,
        groupId,
        ...input,
      };
      const answer = await call("POST", "/api/jobs/create", settings);
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      return (answer.body.job as unknown as { id: string }).id;
    }
    const executionsOf = async (jobId: string) => {
      const answer = await call("GET", `/api/jobs/${jobId}/executions?limit=100`);
      return answer.body.executions as unknown as {
        id: string;
        summary: string;
        changed: boolean;
        folded: boolean;
        untold: string | null;
        error: string | null;
      }[];
    };
    // Reads the database: an API call costs ten times as much, and most polls come before the result exists.
    const countOf = async (jobId: string) => {
      const { count } = await test.app.db
        .selectFrom("executions")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("job_id", "=", jobId)
        .executeTakeFirstOrThrow();
      return Number(count);
    };
    /** Waits until a job has this many executions and returns the newest. */
    async function execution(jobId: string, count: number) {
      await waitFor(`execution ${count}`, async () => (await countOf(jobId)) >= count);
      const [newest] = await executionsOf(jobId);
      if (!newest) throw new Error("no executions are listed");
      return newest;
    }
    async function run(jobId: string) {
      const before = await countOf(jobId);
      await call("POST", `/api/jobs/${jobId}/run`);
      return execution(jobId, before + 1);
    }
    const logsOf = async (jobId: string) => {
      const answer = await call("GET", `/api/jobs/${jobId}/logs`);
      return (answer.body as unknown as { level: string; meta: string }[]).map(
        ({ level, meta }) => `[${level}] ${meta}`,
      );
    };
    return {
      token,
      email,
      accountId,
      groupId,
      call,
      createJob,
      execution,
      executionsOf,
      run,
      logsOf,
    };
  }

  return {
    ...test,
    site,
    person,
    waitFor,
    async close() {
      await test.close(false, async () => stop?.());
    },
  };
}
