import { fromKysely, PgBoss, type SendOptions, type WorkOptions } from "pg-boss";
import type { Database } from "#storage/database.ts";
import { type TaskName, type Tasks, taskOptions } from "./tasks.ts";

type Send = Omit<SendOptions, "db">;
type Work = Pick<WorkOptions, "localConcurrency" | "batchSize" | "pollingIntervalSeconds">;

export type Queue = {
  /** Commits with the caller's transaction; answers null when the key is already queued or active. */
  send<Name extends TaskName>(
    tx: Database,
    name: Name,
    data: Tasks[Name],
    options?: Send,
  ): Promise<string | null>;
  work<Name extends TaskName>(
    name: Name,
    options: Work,
    handler: (data: Tasks[Name], id: string) => Promise<void>,
  ): Promise<void>;
  ready(): Promise<boolean>;
  /** Waits for running tasks, at most 25 s, so that SIGTERM drains within 30. */
  close(): Promise<void>;
};

/** Opens the queue on the product's own database and makes its task queues. */
export async function openQueue(
  connectionString: string,
  options: { onError?: (error: Error) => void; supervise?: boolean } = {},
): Promise<Queue> {
  const boss = new PgBoss({
    connectionString,
    application_name: "watchglass-queue",
    max: 8,
    schedule: false,
    supervise: options.supervise ?? true,
    useListenNotify: true,
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
      await boss.work<Tasks[typeof name]>(name, { pollingIntervalSeconds: 2, ...work }, async (jobs) => {
        for (const job of jobs) await handler(job.data, job.id);
      });
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
