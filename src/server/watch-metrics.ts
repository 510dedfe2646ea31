import type { PoolMetrics } from "#capture/browser-pool.ts";
import type { DetectorLoad } from "#checks/open-detector.ts";
import { readFigures } from "#storage/figures.ts";
import type { App } from "./app.ts";
import { readCounter, readGauge } from "./metrics.ts";

const storageEveryMs = 60_000;

/** Adds what is read at the moment it is asked for: of this process, and of the installation where it is not a worker. */
export function watchMetrics(app: App, detector: () => DetectorLoad): void {
  const { metrics, config } = app;
  readGauge(metrics, "watchglass_info", "Always 1; the role of this process", ["role"], () => [
    [{ role: config.role }, 1],
  ]);
  readGauge(
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
  readGauge(
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
  readCounter(
    metrics,
    "watchglass_detector_ended_total",
    "Threads ended for taking too much",
    () => detector().ended,
  );
  if (config.role !== "worker") watchInstallation(app);
}

function watchInstallation({ metrics, db, queue }: App): void {
  const read = sharedFor(1_000, () => readFigures(db));
  readGauge(
    metrics,
    "watchglass_schedule_lag_seconds",
    "How late the job is that is longest due",
    [],
    async () => [[{}, (await read()).lagSeconds]],
  );
  readGauge(
    metrics,
    "watchglass_schedule_tick_age_seconds",
    "How long ago a scheduler last said that it is at work",
    [],
    async () => [[{}, (await read()).tickAgeSeconds]],
  );
  const stored = sharedFor(storageEveryMs, async () => (await readFigures(db, true)).storedBytes ?? 0);
  readGauge(metrics, "watchglass_storage_bytes", "What all accounts keep", [], async () => [
    [{}, await stored()],
  ]);
  const queues = sharedFor(1_000, () => queue.lengths());
  readGauge(metrics, "watchglass_queue_length", "Tasks that wait, by queue", ["queue"], async () =>
    (await queues()).map(({ name, waiting }) => [{ queue: name }, waiting]),
  );
  readGauge(
    metrics,
    "watchglass_queue_age_seconds",
    "How long the oldest task has waited that could begin, by queue",
    ["queue"],
    async () => (await queues()).map(({ name, ageSeconds }) => [{ queue: name }, ageSeconds]),
  );
  readGauge(
    metrics,
    "watchglass_dead_letters",
    "Tasks given up that nobody has sent again, by queue",
    ["queue"],
    async () => (await queues()).map(({ name, dead }) => [{ queue: name }, dead]),
  );
}

/** Adds the browser's figures, where this process has one. */
export function watchBrowser({ metrics }: App, pool: () => PoolMetrics): void {
  readGauge(
    metrics,
    "watchglass_browser_pages",
    "Pages open in the browser, free places, and captures that wait",
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
  readGauge(
    metrics,
    "watchglass_browser_memory_bytes",
    "Memory of the browser with all its processes",
    [],
    () => [[{}, pool().memoryBytes]],
  );
  readCounter(
    metrics,
    "watchglass_browser_captures_total",
    "Pages captured by the browser",
    () => pool().captures,
  );
  readCounter(metrics, "watchglass_browser_launches_total", "Browsers started", () => pool().launches);
  readCounter(
    metrics,
    "watchglass_browser_kills_total",
    "Browsers ended because a page hung or took too much memory",
    () => pool().kills,
  );
}

/** Several gauges of one answer ask once. */
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
