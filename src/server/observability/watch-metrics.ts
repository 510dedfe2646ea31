import type { PoolMetrics } from "#capture/browser-pool.ts";
import type { DetectorLoad } from "#checks/detection-threads/open-detector.ts";
import { lastBackupAt, readFigures } from "#storage/figures.ts";
import type { App } from "../app.ts";
import { addCounter, addGauge } from "./metrics.ts";

const storageEveryMs = 60_000;

/** Adds the figures that are read on request: of this process and, unless it is a worker, of the whole installation. */
export function watchMetrics(app: App, detector: () => DetectorLoad): void {
  const { metrics, config } = app;
  addGauge(metrics, "watchglass_info", "Always 1; the role of this process", ["role"], () => [
    [{ role: config.role }, 1],
  ]);
  addGauge(
    metrics,
    "watchglass_database_connections",
    "Connections to the database, and calls that wait for one",
    ["state"],
    () => {
      const { total, idle, waiting } = app.databasePool();
      return [
        [{ state: "busy" }, total - idle],
        [{ state: "idle" }, idle],
        [{ state: "waited_for" }, waiting],
      ];
    },
  );
  addGauge(
    metrics,
    "watchglass_detector_threads",
    "Threads that compare, and work that waits for one",
    ["state"],
    () => {
      const { busy, waiting, threads } = detector();
      return [
        [{ state: "busy" }, busy],
        [{ state: "idle" }, Math.max(0, threads - busy)],
        [{ state: "waited_for" }, waiting],
      ];
    },
  );
  addCounter(
    metrics,
    "watchglass_detector_ended_total",
    "Threads ended for taking too much",
    () => detector().ended,
  );
  if (config.role !== "worker") watchInstallation(app);
}

function watchInstallation({ metrics, db, queue }: App): void {
  const read = sharedFor(1_000, () => readFigures(db));
  addGauge(metrics, "watchglass_schedule_lag_seconds", "How late the most overdue job is", [], async () => [
    [{}, (await read()).lagSeconds],
  ]);
  addGauge(
    metrics,
    "watchglass_schedule_tick_age_seconds",
    "Time since a scheduler last reported that it runs",
    [],
    async () => [[{}, (await read()).tickAgeSeconds]],
  );
  const stored = sharedFor(storageEveryMs, async () => (await readFigures(db, true)).storedBytes ?? 0);
  addGauge(metrics, "watchglass_storage_bytes", "What all accounts store", [], async () => [
    [{}, await stored()],
  ]);
  const backedUp = sharedFor(storageEveryMs, () => lastBackupAt(db));
  addGauge(
    metrics,
    "watchglass_last_backup_timestamp_seconds",
    "When the last backup was complete; 0 if there was none",
    [],
    async () => [[{}, await backedUp()]],
  );
  const queues = sharedFor(1_000, () => queue.lengths());
  addGauge(metrics, "watchglass_queue_length", "Tasks that wait, by queue", ["queue"], async () =>
    (await queues()).map(({ name, waiting }) => [{ queue: name }, waiting]),
  );
  addGauge(
    metrics,
    "watchglass_queue_age_seconds",
    "How long the oldest task that could start has waited, by queue",
    ["queue"],
    async () => (await queues()).map(({ name, ageSeconds }) => [{ queue: name }, ageSeconds]),
  );
  addGauge(
    metrics,
    "watchglass_dead_letters",
    "Tasks that were given up and not sent again, by queue",
    ["queue"],
    async () => (await queues()).map(({ name, dead }) => [{ queue: name }, dead]),
  );
}

/** Adds the browser's figures, in a process that has one. */
export function watchBrowser({ metrics }: App, pool: () => PoolMetrics): void {
  addGauge(
    metrics,
    "watchglass_browser_pages",
    "Pages open in the browser, free slots, and waiting captures",
    ["state"],
    () => {
      const { active, capacity, waiting } = pool();
      return [
        [{ state: "open" }, active],
        [{ state: "free" }, Math.max(0, capacity - active)],
        [{ state: "waited_for" }, waiting],
      ];
    },
  );
  addGauge(
    metrics,
    "watchglass_browser_memory_bytes",
    "Memory of the browser with all its processes",
    [],
    () => [[{}, pool().memoryBytes]],
  );
  addCounter(
    metrics,
    "watchglass_browser_captures_total",
    "Pages captured by the browser",
    () => pool().captures,
  );
  addCounter(metrics, "watchglass_browser_launches_total", "Browsers started", () => pool().launches);
  addCounter(
    metrics,
    "watchglass_browser_kills_total",
    "Browsers ended because a page hung or took too much memory",
    () => pool().kills,
  );
}

/** Shares one answer for a while, so that several gauges cause only one query. */
function sharedFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > ms) {
      const answer = read();
      last = { at: performance.now(), answer };
      answer.catch(() => (last = undefined));
    }
    return last.answer;
  };
}
