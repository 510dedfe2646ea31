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

/** The figures of /metrics, in Prometheus' text format. Those that are read on request are in watch-metrics.ts. */
export function createMetrics() {
  const registry = new Registry();
  // At the default of 10 ms, this measurement alone takes half of the processor time of an idle process.
  if (isMainThread) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 500 });
  const registers = [registry];
  const mails = new Counter({
    name: "watchglass_mails_total",
    help: "Mails handed to the mail server, by result",
    labelNames: ["result"],
    registers,
  });
  // A rate needs a first value: the first failure would not be seen otherwise.
  for (const result of ["sent", "failed"]) mails.inc({ result }, 0);
  return {
    registry,
    /** Readers of the figures that threads of this process collect. */
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
      help: "Attempts to deliver an alert, by channel and result (sent, delayed, failed)",
      labelNames: ["channel", "result"],
      registers,
    }),
    mails,
  };
}

/** Reads all figures of this process, including those of its threads. */
export async function readMetrics({ registry, beside }: Metrics): Promise<string> {
  if (beside.length === 0) return registry.metrics();
  const others = await Promise.all(beside.map((read) => read()));
  return AggregatorRegistry.aggregate([await registry.getMetricsAsJSON(), ...others]).metrics();
}

/** Adds a gauge whose values are read on each request. */
export function addGauge<Label extends string>(
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

/** Adds a counter whose value is counted elsewhere and read on each request. */
export function addCounter({ registry }: Metrics, name: string, help: string, read: () => number): void {
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
