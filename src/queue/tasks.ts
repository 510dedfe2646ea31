import type { Queue as BossQueue } from "pg-boss";

/** What the queue carries. Payloads hold ids or sealed values, never a secret in the clear. */
export type Tasks = {
  mail: { sealed: string };
  recover: { sealed: string };
  /** Ends a subscription at the payment provider after its account was deleted. */
  unsubscribe: { subscriptionId: string };
};

export type TaskName = keyof Tasks;

type TaskOptions = Omit<BossQueue, "name" | "deadLetter">;

/** Retry rules per task; what fails for good is kept in `<task>-dead`. */
export const taskOptions: Record<TaskName, TaskOptions> = {
  // A mail server may be down for a day: about 36 hours of attempts, the first ones close together.
  mail: {
    retryLimit: 220,
    retryBackoff: true,
    retryDelay: 2,
    retryDelayMax: 600,
    expireInSeconds: 120,
    heartbeatSeconds: 30,
    notify: true,
  },
  recover: { retryLimit: 20, retryBackoff: true, retryDelay: 2, retryDelayMax: 60, notify: true },
  // Somebody would go on paying for nothing, so it is tried for days.
  unsubscribe: { retryLimit: 150, retryBackoff: true, retryDelay: 5, retryDelayMax: 3600, notify: true },
};
