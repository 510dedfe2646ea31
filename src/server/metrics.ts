import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof createMetrics>;

/** What /metrics tells, in Prometheus' text format. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: "watchglass_http_request_seconds",
      help: "Time to answer a call, by route and status",
      labelNames: ["method", "route", "status"],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers: [registry],
    }),
    stages: new Counter({
      name: "watchglass_check_stage_seconds_total",
      help: "Where the time of checks went, by stage",
      labelNames: ["stage"],
      registers: [registry],
    }),
    checks: new Counter({
      name: "watchglass_checks_total",
      help: "Checks that were recorded",
      registers: [registry],
    }),
    mails: new Counter({
      name: "watchglass_mails_total",
      help: "Mails handed to the mail server, by result",
      labelNames: ["result"],
      registers: [registry],
    }),
  };
}
