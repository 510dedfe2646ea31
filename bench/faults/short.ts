import type { Size } from "./run-faults.ts";

/** One kill of each kind and each outage, for the tests. */
export const short: Size = {
  executions: 40,
  kills: 5,
  killPauseMs: 1_000,
  jobs: 10,
  changeShare: 0.1,
  roles: ["api", "scheduler", "worker"],
  outageMs: 1_000,
  program: "bench/faults/member.ts",
};
