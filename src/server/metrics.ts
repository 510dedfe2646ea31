import { isMainThread } from "node:worker_threads";
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from "prom-client";

export type Figures = MetricObjectWithValues<MetricValue<string>>[];
export type Metrics = ReturnType<typeof createMetrics>;

/** What /metrics tells, in Prometheus' text format; what is read when it is asked for is in watch-metrics.ts. */
export function createMetrics() {
  const registry = new Registry();
  // At its default of 10 ms the measuring alone takes half of what an idle process uses.
  if (isMainThread) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 500 });
  const registers = [registry];
  return {
    registry,
    /** What threads of this process count. */
    beside: [] as (() => Promise<Figures>)[],
    requests: new Histogram({
      name: "watchglass_http_request_seconds",
      help: "Time to answer a call, by route and status",
      labelNames: ["method", "route", "status"],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    stages: new Histogram({
      name: "watchglass_check_stage_seconds",
      help: "Time of checks by stage: wait, capture, confirm, compare, store; deliver is until a message was sent",
      labelNames: ["stage"],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
      registers,
    }),
    checks: new Counter({
      name: "watchglass_checks_total",
      help: "Checks that were recorded, by result (unchanged, changed, failed, given_up) and way (browser, http, none)",
      labelNames: ["result", "way"],
      registers,
    }),
    deliveries: new Counter({
      name: "watchglass_deliveries_total",
      help: "Attempts to tell of a change, by channel and result (sent, delayed, failed)",
      labelNames: ["channel", "result"],
      registers,
    }),
    mails: new Counter({
      name: "watchglass_mails_total",
      help: "Mails handed to the mail server, by result",
      labelNames: ["result"],
      registers,
    }),
  };
}

/** All figures of this process, its threads' with its own. */
export async function readMetrics({ registry, beside }: Metrics): Promise<string> {
  if (beside.length === 0) return registry.metrics();
  const others = await Promise.all(beside.map((read) => read()));
  return AggregatorRegistry.aggregate([await registry.getMetricsAsJSON(), ...others]).metrics();
}

/** A gauge whose values are read whenever it is asked for. */
export function readGauge<Label extends string>(
  { registry }: Metrics,
  name: string,
  help: string,
  labelNames: Label[],
  read: () =>
    | Promise<[Partial<Record<Label, string>>, number][]>
    | [Partial<Record<Label, string>>, number][],
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      this.reset();
      for (const [labels, value] of await read()) this.set(labels as Record<Label, string>, value);
    },
  });
}

/** A counter that somebody else counts. */
export function readCounter({ registry }: Metrics, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
