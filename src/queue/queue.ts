import { fromKysely, PgBoss, type SendOptions, type WorkOptions } from "pg-boss";
import type { Database } from "#storage/database.ts";
import { formerNames, type TaskName, type Tasks, taskOptions } from "./tasks.ts";

type Send = Omit<SendOptions, "db">;
type Work = Pick<WorkOptions, "localConcurrency" | "batchSize">;

/** One try at a task; a later try of the same task is another attempt. */
export type Attempt = { id: string; retryCount: number };

export type Queue = {
  /** Commits with the caller's transaction; answers null when the key is already queued or active. */
  send<Name extends TaskName>(
    tx: Database,
    name: Name,
    data: Tasks[Name],
    options?: Send,
  ): Promise<string | null>;
  /** Like send, for many; those whose key is already queued or active are passed over. */
  sendMany<Name extends TaskName>(
    tx: Database,
    name: Name,
    tasks: { data: Tasks[Name]; singletonKey?: string; priority?: number }[],
  ): Promise<void>;
  /**
   * Completes an attempt within the caller's transaction. False means that the attempt lost its claim: whatever it
   * found out must not be written.
   */
  settle(tx: Database, name: TaskName, attempt: Attempt): Promise<boolean>;
  /** Works on tasks that failed for good; the task stays in sight as completed. */
  workDead<Name extends TaskName>(
    name: Name,
    handler: (data: Tasks[Name], id: string) => Promise<void>,
  ): Promise<void>;
  /** Tasks of a batch are worked on at once. One that throws brings back all of its batch that are not settled. */
  work<Name extends TaskName>(
    name: Name,
    options: Work,
    handler: (data: Tasks[Name], attempt: Attempt) => Promise<void>,
  ): Promise<void>;
  /** How many wait to be worked on, counted up to `limit`. */
  countWaiting(name: TaskName, limit: number): Promise<number>;
  ready(): Promise<boolean>;
  /** Waits for running tasks, at most 25 s, so that SIGTERM drains within 30. */
  close(): Promise<void>;
};

/** Opens the queue on the product's own database and makes its task queues. */
export async function openQueue(
  connectionString: string,
  options: { onError?: (error: Error) => void; supervise?: boolean; pollSeconds?: number } = {},
): Promise<Queue> {
  const { pollSeconds = 2 } = options;
  const boss = new PgBoss({
    connectionString,
    application_name: "watchglass-queue",
    max: 8,
    schedule: false,
    supervise: options.supervise ?? true,
    useListenNotify: true,
    // A killed worker's task comes back within its heartbeat and two of these.
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  });
  boss.on("error", (error) => options.onError?.(error));
  await boss.start();
  for (const [name, task] of Object.entries(taskOptions)) {
    await boss.createQueue(`${name}-dead`, { retentionSeconds: 60 * 60 * 24 * 90 });
    await boss.createQueue(name, { ...task, deadLetter: `${name}-dead` });
  }
  return {
    send: (tx, name, data, send) => boss.send(name, data, { ...send, db: fromKysely(tx) }),
    async work(name, work, handler) {
      // New tasks are announced; retries and deferred ones are only found by polling.
      const polling = {
        pollingIntervalSeconds: pollSeconds,
        notifyPollingIntervalSeconds: pollSeconds,
        burstWhenBatchFull: true,
      };
      const former = formerNames[name];
      const names = former && (await boss.getQueue(former)) ? [name, former] : [name];
      for (const queue of names) {
        await boss.work<Tasks[typeof name]>(queue, { ...polling, ...work }, async (jobs) => {
          const ends = await Promise.allSettled(
            jobs.map(({ data, id, retryCount }) => handler(data, { id, retryCount })),
          );
          const failed = ends.find((end) => end.status === "rejected");
          if (failed) throw failed.reason;
        });
      }
    },
    async sendMany(tx, name, tasks) {
      if (tasks.length > 0) await boss.insert(name, tasks, { db: fromKysely(tx), returnId: false });
    },
    async settle(tx, name, attempt) {
      // Its types do not say so, but the answer counts the tasks that were completed.
      const answer = (await boss.complete(name, attempt, null, { db: fromKysely(tx) })) as {
        affected: number;
      };
      return answer.affected === 1;
    },
    async workDead(name, handler) {
      await boss.work<Tasks[typeof name]>(
        `${name}-dead`,
        { pollingIntervalSeconds: pollSeconds },
        async (jobs) => {
          for (const job of jobs) await handler(job.data, job.id);
        },
      );
    },
    async countWaiting(name, limit) {
      const { rows } = await boss
        .getDb()
        .executeSql(
          "select count(*)::integer as count from (select from pgboss.job where name = $1 and state < 'active' limit $2) as job",
          [name, limit],
        );
      return rows[0].count;
    },
    async ready() {
      try {
        return await boss.isInstalled();
      } catch {
        return false;
      }
    },
    close: () => boss.stop({ graceful: true, timeout: 25_000 }),
  };
}
