import { sql } from "kysely";
import { fromKysely, PgBoss, type SendOptions } from "pg-boss";
import type { Database } from "#storage/database.ts";
import { claim } from "./claim.ts";
import { type Attempt, type Choice, type Claimed, type Lane, openLane, type Place } from "./open-lane.ts";
import { formerNames, type TaskName, type Tasks, taskOptions } from "./tasks.ts";
import { noTracing, type Tracing } from "./tracing.ts";

type Send = Omit<SendOptions, "db" | "group"> & Belonging;
/** Whose a task is and where it goes, for those who choose by it. */
type Belonging = { owner?: string; place?: string };
/** The work that sent a task, where it is followed. */
type Traced = { trace?: string };
export type Work = {
  width?: number;
  behind?: number;
  mostAside?: number;
  /** Chooses by what has not left its place for good, each with its owner and where it goes. */
  choose?: (room: number, held: Required<Belonging>[]) => Choice;
};

export type { Attempt, Place } from "./open-lane.ts";

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
    tasks: ({ data: Tasks[Name]; singletonKey?: string; priority?: number } & Belonging)[],
  ): Promise<void>;
  /** Lets a task that waits under a key go before others of less priority. */
  hasten(tx: Database, name: TaskName, singletonKey: string, priority: number): Promise<void>;
  /** The owners of more than `count` tasks that wait. */
  ownersWaiting(name: TaskName, count: number): Promise<string[]>;
  /**
   * Completes an attempt within the caller's transaction. False means that the attempt lost its claim: whatever it
   * found out must not be written.
   */
  settle(tx: Database, name: TaskName, attempt: Attempt): Promise<boolean>;
  /** The same for several; answers whose claims stood. */
  settleAll(tx: Database, name: TaskName, attempts: Attempt[]): Promise<Set<string>>;
  /** Works on tasks that failed for good; the task stays in sight as completed. */
  workDead<Name extends TaskName>(
    name: Name,
    handler: (data: Tasks[Name], id: string) => Promise<void>,
  ): Promise<void>;
  /**
   * Works on `width` tasks at once, and on the next as soon as one is over or has left its place; up to `behind` may
   * have left theirs and go on, up to `mostAside` need none for a while. One that throws is tried again.
   */
  work<Name extends TaskName>(
    name: Name,
    options: Work,
    handler: (data: Tasks[Name], attempt: Attempt, place: Place) => Promise<void>,
  ): Promise<void>;
  /** How many wait to be worked on, counted up to `limit`. */
  countWaiting(name: TaskName, limit: number): Promise<number>;
  /** Of each queue: how many wait, how long the oldest that could begin has, and how many were given up. */
  lengths(): Promise<{ name: TaskName; waiting: number; ageSeconds: number; dead: number }[]>;
  /** What was given up, oldest first. */
  listDead(limit: number): Promise<{ id: string; name: TaskName; at: Date; reason: string | null }[]>;
  /** Sends again what was given up, all of a queue or one; answers how many. */
  replay(name: TaskName, id?: string): Promise<number>;
  ready(): Promise<boolean>;
  /** Waits for running tasks, at most 25 s, so that SIGTERM drains within 30. */
  close(): Promise<void>;
};

export type QueueTuning = {
  /** How often deferred tasks and retries are looked for; new tasks are announced. */
  pollSeconds?: number;
  /** How soon what a dead worker held is taken up; 10 at least. */
  heartbeatSeconds?: number;
  superviseSeconds?: number;
  /** Whether what dead workers held is looked for; one of several queues in a process is enough. */
  supervise?: boolean;
};

// What pg-boss calls its channel: on it each new task that can begin is announced by the name of its queue.
const channel = "('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24))";

/** Opens the queue on the product's own database and makes its task queues. */
export async function openQueue(
  connectionString: string,
  options: { onError?: (error: Error) => void; tracing?: Tracing } & QueueTuning = {},
): Promise<Queue> {
  const { pollSeconds = 2, superviseSeconds = 10, tracing = noTracing } = options;
  const onError = (error: Error) => options.onError?.(error);
  const boss = new PgBoss({
    connectionString,
    application_name: "watchglass-queue",
    max: 8,
    // A claim that a crash of the database undoes is made again; what is sent or settled in a caller's transaction is
    // as durable as that.
    options: "-c synchronous_commit=off",
    schedule: false,
    supervise: options.supervise ?? true,
    // A killed worker's task comes back within its heartbeat and two of these.
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    // No task here waits for another.
    flowIntervalSeconds: 3600,
  });
  boss.on("error", onError);
  await boss.start();
  for (const [name, task] of Object.entries(taskOptions)) {
    const { policy, ...changeable } = task;
    const heartbeat = options.heartbeatSeconds ?? task.heartbeatSeconds;
    const settings = { ...changeable, ...(heartbeat && { heartbeatSeconds: heartbeat }) };
    await boss.createQueue(`${name}-dead`, { retentionSeconds: 60 * 60 * 24 * 90 });
    await boss.createQueue(name, { ...settings, ...(policy && { policy }), deadLetter: `${name}-dead` });
    // What an older version made keeps its settings otherwise.
    await boss.updateQueue(name, settings);
  }
  const settled = new WeakSet<Attempt>();
  const lanes = new Map<string, Lane>();
  const workers = startTaking(boss, lanes, { pollSeconds, onError });

  function addLane<Data>(
    name: string,
    work: Work,
    handle: (task: Claimed<Data>, place: Place) => Promise<void>,
  ): void {
    const lane = openLane<Data>(boss, name, {
      width: work.width ?? 1,
      ...(work.behind !== undefined && { behind: work.behind }),
      ...(work.mostAside !== undefined && { mostAside: work.mostAside }),
      ...(work.choose && {
        choose: (room: number, held: Claimed<Data>[]) => work.choose?.(room, held.map(belongingOf)) as Choice,
      }),
      claim: (room, choice) =>
        choice ? claim<Data>(boss, name, room, choice) : boss.fetch<Data>(name, { batchSize: room }),
      handle,
      isSettled: (task) => settled.has(task),
      onError,
    });
    lanes.set(name, lane);
    lane.fill();
  }

  async function settleAll(tx: Database, name: TaskName, attempts: Attempt[]): Promise<Set<string>> {
    if (attempts.length === 0) return new Set();
    // Its types do not say so, but the answer names the tasks that were completed.
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
        addLane<Tasks[typeof name] & Traced>(queue, work, (task, place) => {
          const { trace, ...data } = task.data;
          const about = { "task.id": task.id, "task.attempt": task.retryCount + 1 };
          return tracing.span(name, trace, about, () => handler(data as Tasks[typeof name], task, place));
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
    async ownersWaiting(name, count) {
      const { rows } = await boss.getDb().executeSql(
        `select group_id as owner from pgboss.job where name = $1 and state < 'active' and group_id is not null
         group by group_id having count(*) > $2`,
        [name, count],
      );
      return rows.map(({ owner }) => owner);
    },
    settle: async (tx, name, attempt) => (await settleAll(tx, name, [attempt])).has(attempt.id),
    settleAll,
    async workDead(name, handler) {
      addLane<Tasks[typeof name]>(`${name}-dead`, {}, (task) => handler(task.data, task.id));
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
    async lengths() {
      const { rows } = await boss.getDb().executeSql(
        `select name, count(*)::integer as waiting,
           coalesce(extract(epoch from now() - min(greatest(created_on, start_after)) filter (where start_after <= now())), 0)::float8 as age
         from pgboss.job where name = any($1) and state < 'active' group by name`,
        [taskNames.flatMap((name) => [name, `${name}-dead`])],
      );
      const found = new Map(rows.map((row) => [row.name as string, row]));
      return taskNames.map((name) => ({
        name,
        waiting: found.get(name)?.waiting ?? 0,
        ageSeconds: found.get(name)?.age ?? 0,
        dead: found.get(`${name}-dead`)?.waiting ?? 0,
      }));
    },
    async listDead(limit) {
      const { rows } = await boss.getDb().executeSql(
        `select id, regexp_replace(name, '-dead$', '') as name, created_on as at, coalesce(source_output, output) ->> 'message' as reason
         from pgboss.job where name = any($1) and state < 'active' order by created_on limit $2`,
        [taskNames.map((name) => `${name}-dead`), limit],
      );
      return rows;
    },
    async replay(name, id) {
      // One statement moves each: a process that ends half-way neither loses one nor sends it twice.
      const which = { destination: name, ...(id && { ids: [id] }) };
      for (let sent = 0; ; ) {
        const { total } = await boss.previewRedrive(`${name}-dead`, which);
        if (total === 0) return sent;
        sent += await boss.redrive(`${name}-dead`, which);
      }
    },
    async ready() {
      try {
        return await boss.isInstalled();
      } catch {
        return false;
      }
    },
    async close() {
      workers.stop();
      await Promise.all([...lanes.values()].map((lane) => lane.close(25_000)));
      await boss.stop({ graceful: false });
    },
  };
}

const taskNames = Object.keys(taskOptions) as TaskName[];

const groupOf = ({ owner, place }: { owner?: string | undefined; place?: string | undefined }) =>
  owner ? { group: { id: owner, ...(place && { tier: place }) } } : {};

const belongingOf = ({ groupId, groupTier }: Claimed<unknown>) => ({
  owner: groupId ?? "",
  place: groupTier ?? "",
});

/** Wakes lanes: at once for what is announced, in time for what was put off, and says that what runs is alive. */
function startTaking(
  boss: PgBoss,
  lanes: Map<string, Lane>,
  { pollSeconds, onError }: { pollSeconds: number; onError: (error: Error) => void },
): { stop: () => void } {
  const timers = new Set<NodeJS.Timeout>();
  const db = boss.getDb();
  let listening: { close(): Promise<void> } | undefined;
  let stopped = false;
  const fillAll = () => {
    for (const lane of lanes.values()) lane.fill();
  };
  const listen = async () => {
    const { rows } = await db.executeSql(`select ${channel} as name`);
    listening = await db.listen?.(rows[0].name, (queue) => lanes.get(queue)?.fill(), fillAll);
    if (stopped) await listening?.close();
  };
  listen().catch(onError);

  async function poll(): Promise<void> {
    const { rows } = await db.executeSql(
      `select name, bool_or(start_after <= now()) as ready,
         extract(epoch from min(start_after) filter (where start_after > now()) - now())::float8 as seconds
       from pgboss.job where name = any($1) and state < 'active' and not blocked group by name`,
      [[...lanes.keys()]],
    );
    for (const { name, ready, seconds } of rows) {
      if (ready) lanes.get(name)?.fill();
      if (seconds === null || seconds > pollSeconds) continue;
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          lanes.get(name)?.fill();
        },
        seconds * 1000 + 1,
      );
      timers.add(timer);
    }
  }
  const repeat = (everyMs: number, work: () => Promise<unknown>) => {
    const next = () => {
      if (stopped) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        work().catch(onError).finally(next);
      }, everyMs);
      timers.add(timer);
    };
    next();
  };
  repeat(pollSeconds * 1000, async () => lanes.size > 0 && poll());
  repeat(3000, () => Promise.all([...lanes.values()].map((lane) => lane.touch())));
  return {
    stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      // Its connection may be gone already.
      listening?.close().catch(onError);
    },
  };
}
