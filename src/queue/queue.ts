import { sql } from "kysely";
import { fromKysely, PgBoss, type SendOptions } from "pg-boss";
import type { Database } from "#storage/database.ts";
import { type Attempt, type Choice, type Claimed, claim } from "./claim.ts";
import { countByQueue, countWaiting, ownersWaiting, type QueueLength } from "./count-tasks.ts";
import { type DeadTask, listDead, replayDead } from "./dead-tasks.ts";
import { openWorker, type QueueWorker } from "./open-worker.ts";
import { formerNames, type TaskName, type Tasks, taskOptions } from "./tasks.ts";
import { noTracing, type Tracing } from "./tracing.ts";
import { startWaking } from "./wake-workers.ts";
import type { WorkerSlot } from "./worker-slots.ts";

type Send = Omit<SendOptions, "db" | "group"> & Belonging;
/** The owner and place (such as a host) of a task, for workers that choose by them. */
type Belonging = { owner?: string; place?: string };
/** The trace of the work that sent a task, if tracing is on. */
type Traced = { trace?: string };
export type Work = {
  width?: number;
  behind?: number;
  maxSuspended?: number;
  /** Chooses by the tasks that have not released their slot, each with its owner and place. */
  choose?: (room: number, held: Required<Belonging>[]) => Choice;
  /** What it does can't be taken back, so an attempt that ends well completes the task even if its claim lapsed. */
  isIrrevocable?: boolean;
};

/** Another attempt may have begun, so this one must not send anything. */
export class ClaimLost extends Error {}

export type { Attempt } from "./claim.ts";
export type { WorkerSlot } from "./worker-slots.ts";

export type Queue = {
  /** Commits with the caller's transaction; returns null if the key is already queued or active. */
  send<Name extends TaskName>(
    tx: Database,
    name: Name,
    data: Tasks[Name],
    options?: Send,
  ): Promise<string | null>;
  /** Like send, for many; tasks whose key is already queued or active are skipped. */
  sendMany<Name extends TaskName>(
    tx: Database,
    name: Name,
    tasks: ({ data: Tasks[Name]; singletonKey?: string; priority?: number } & Belonging)[],
  ): Promise<void>;
  /** Raises the priority of the task that waits under a key. */
  hasten(tx: Database, name: TaskName, singletonKey: string, priority: number): Promise<void>;
  /** The owners of more than `count` waiting tasks. */
  ownersWaiting(name: TaskName, count: number): Promise<string[]>;
  /**
   * Completes an attempt within the caller's transaction. False means that the attempt lost its claim: its
   * results must not be written.
   */
  settle(tx: Database, name: TaskName, attempt: Attempt): Promise<boolean>;
  /** The same for several; returns the ids of those that still held their claim. */
  settleAll(tx: Database, name: TaskName, attempts: Attempt[]): Promise<Set<string>>;
  /**
   * Renews an attempt's claim before it does what can't be taken back, such as sending a message. Throws `ClaimLost` if
   * another attempt may have begun.
   */
  hold(name: TaskName, attempt: Attempt): Promise<void>;
  /**
   * Completes a task whose message was sent, whichever attempt has claimed it meanwhile. Returns whether this attempt
   * still held its claim.
   */
  settleSent(tx: Database, name: TaskName, attempt: Attempt): Promise<boolean>;
  /** Works on tasks that failed for good; such a task stays visible as completed. */
  workDead<Name extends TaskName>(
    name: Name,
    handler: (data: Tasks[Name], id: string) => Promise<void>,
  ): Promise<void>;
  /**
   * Works on `width` tasks at once, and on the next as soon as one ends or releases its slot; up to `behind` tasks may
   * run after releasing theirs, up to `maxSuspended` may be suspended. A task that throws is retried.
   */
  work<Name extends TaskName>(
    name: Name,
    options: Work,
    handler: (data: Tasks[Name], attempt: Attempt, slot: WorkerSlot) => Promise<void>,
  ): Promise<void>;
  /** How many tasks wait, counted up to `limit`. */
  countWaiting(name: TaskName, limit: number): Promise<number>;
  /** For each queue: how many tasks wait, for how long the oldest that could begin has, and how many were given up. */
  lengths(): Promise<QueueLength[]>;
  /** Tasks that were given up, oldest first. */
  listDead(limit: number): Promise<DeadTask[]>;
  /** Sends tasks again that were given up, all of a queue or one; returns how many. */
  replay(name: TaskName, id?: string): Promise<number>;
  ready(): Promise<boolean>;
  /** Waits for running tasks, at most 25 s, so that SIGTERM drains within 30. */
  close(): Promise<void>;
};

export type QueueTuning = {
  /** How often to look for deferred tasks and retries; new tasks are announced. */
  pollSeconds?: number;
  /** How soon a dead worker's tasks are taken over; at least 10. */
  heartbeatSeconds?: number;
  superviseSeconds?: number;
  /** Whether to look for tasks of dead workers; one of several queues in a process is enough. */
  supervise?: boolean;
};

/** Opens the queue on the product's own database and creates its task queues. */
export async function openQueue(
  connectionString: string,
  options: { onError?: (error: Error) => void; tracing?: Tracing } & QueueTuning = {},
): Promise<Queue> {
  const { pollSeconds = 2, tracing = noTracing } = options;
  const onError = (error: Error) => options.onError?.(error);
  const boss = await startBoss(connectionString, options, onError);
  const settled = new WeakSet<Attempt>();
  const workers = new Map<string, QueueWorker>();
  const waking = startWaking(boss, workers, { pollSeconds, onError });

  function addWorker<Data>(
    name: string,
    work: Work,
    handle: (task: Claimed<Data>, slot: WorkerSlot) => Promise<void>,
  ): void {
    const worker = openWorker<Data>(boss, name, {
      width: work.width ?? 1,
      ...(work.behind !== undefined && { behind: work.behind }),
      ...(work.maxSuspended !== undefined && { maxSuspended: work.maxSuspended }),
      ...(work.choose && {
        choose: (room: number, held: Claimed<Data>[]) => work.choose?.(room, held.map(belongingOf)) as Choice,
      }),
      claim: (room, choice) =>
        choice ? claim<Data>(boss, name, room, choice) : boss.fetch<Data>(name, { batchSize: room }),
      handle,
      complete: (task) =>
        work.isIrrevocable
          ? boss.complete(name, task.id, null, { includeQueued: true })
          : boss.complete(name, task),
      isSettled: (task) => settled.has(task),
      onError,
    });
    workers.set(name, worker);
    worker.fill();
  }

  async function settleAll(tx: Database, name: TaskName, attempts: Attempt[]): Promise<Set<string>> {
    if (attempts.length === 0) return new Set();
    // pg-boss's types do not say so, but the answer names the tasks that were completed.
    const answer = (await boss.complete(name, attempts, null, { db: fromKysely(tx) })) as {
      settled: string[];
    };
    for (const attempt of attempts) settled.add(attempt);
    return new Set(answer.settled);
  }

  const traced = <Data extends object>(data: Data): Data & Traced => {
    const trace = tracing.current();
    return trace ? { ...data, trace } : data;
  };

  return {
    send: (tx, name, data, { owner, place, ...send } = {}) =>
      boss.send(name, traced(data), { ...send, ...groupOf({ owner, place }), db: fromKysely(tx) }),
    async work(name, work, handler) {
      const former = formerNames[name];
      const names = former && (await boss.getQueue(former)) ? [name, former] : [name];
      for (const queue of names)
        addWorker<Tasks[typeof name] & Traced>(queue, work, (task, slot) => {
          const { trace, ...data } = task.data;
          const attributes = { "task.id": task.id, "task.attempt": task.retryCount + 1 };
          return tracing.span(name, trace, attributes, () => handler(data as Tasks[typeof name], task, slot));
        });
    },
    async sendMany(tx, name, tasks) {
      if (tasks.length === 0) return;
      const grouped = tasks.map(({ owner, place, ...task }) => ({ ...task, ...groupOf({ owner, place }) }));
      await boss.insert(name, grouped, { db: fromKysely(tx), returnId: false });
    },
    async hasten(tx, name, singletonKey, priority) {
      await sql`update pgboss.job set priority = greatest(priority, ${priority})
        where name = ${name} and singleton_key = ${singletonKey} and state < 'active'`.execute(tx);
    },
    ownersWaiting: (name, count) => ownersWaiting(boss, name, count),
    settle: async (tx, name, attempt) => (await settleAll(tx, name, [attempt])).has(attempt.id),
    settleAll,
    async hold(name, { id, retryCount }) {
      const { rows } = await boss.getDb().executeSql(
        `update pgboss.job set heartbeat_on = now()
         where name = $1 and id = $2 and state = 'active' and retry_count = $3 returning id`,
        [name, id, retryCount],
      );
      if (rows.length === 0) throw new ClaimLost(`the claim of a ${name} task has lapsed`);
    },
    async settleSent(tx, name, attempt) {
      if ((await settleAll(tx, name, [attempt])).has(attempt.id)) return true;
      await boss.complete(name, attempt.id, null, { db: fromKysely(tx), includeQueued: true });
      return false;
    },
    async workDead(name, handler) {
      addWorker<Tasks[typeof name]>(`${name}-dead`, {}, (task) => handler(task.data, task.id));
    },
    countWaiting: (name, limit) => countWaiting(boss, name, limit),
    lengths: () => countByQueue(boss),
    listDead: (limit) => listDead(boss, limit),
    replay: (name, id) => replayDead(boss, name, id),
    async ready() {
      try {
        return await boss.isInstalled();
      } catch {
        return false;
      }
    },
    async close() {
      waking.stop();
      await Promise.all([...workers.values()].map((worker) => worker.close(25_000)));
      await boss.stop({ graceful: false });
    },
  };
}

const groupOf = ({ owner, place }: { owner?: string | undefined; place?: string | undefined }) =>
  owner ? { group: { id: owner, ...(place && { tier: place }) } } : {};

const belongingOf = ({ groupId, groupTier }: Claimed<unknown>) => ({
  owner: groupId ?? "",
  place: groupTier ?? "",
});

/** Starts pg-boss and creates our task queues. */
async function startBoss(
  connectionString: string,
  { supervise = true, superviseSeconds = 10, heartbeatSeconds }: QueueTuning,
  onError: (error: Error) => void,
): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString,
    application_name: "watchglass-queue",
    max: 8,
    // A claim that a crash of the database undoes is made again; tasks that are sent or settled in a caller's
    // transaction are as durable as that transaction.
    options: "-c synchronous_commit=off",
    schedule: false,
    supervise,
    // A killed worker's task comes back within its heartbeat plus two of these intervals.
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    // No task depends on another.
    flowIntervalSeconds: 3600,
  });
  boss.on("error", onError);
  await boss.start();
  for (const [name, task] of Object.entries(taskOptions)) {
    const { policy, ...changeable } = task;
    const heartbeat = heartbeatSeconds ?? task.heartbeatSeconds;
    const settings = { ...changeable, ...(heartbeat && { heartbeatSeconds: heartbeat }) };
    await boss.createQueue(`${name}-dead`, { retentionSeconds: 60 * 60 * 24 * 90 });
    await boss.createQueue(name, { ...settings, ...(policy && { policy }), deadLetter: `${name}-dead` });
    // Otherwise a queue that an older version created would keep its settings.
    await boss.updateQueue(name, settings);
  }
  return boss;
}
