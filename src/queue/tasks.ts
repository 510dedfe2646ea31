import type { Queue as BossQueue } from "pg-boss";
import type { ChannelId } from "#contract/channels.ts";

/** What the queue carries. Payloads hold ids or sealed values, never a secret in the clear. */
export type Tasks = {
  mail: { sealed: string };
  recover: { sealed: string };
  /** Ends a subscription at the payment provider after its account was deleted. */
  "end-subscription": { subscriptionId: string };
  /** One look of a check of a job; the second where `glimpse` names what the first kept. */
  execute: { jobId: string; glimpse?: string };
  /** One look at a page that no job watches yet. */
  preview: { previewId: string };
  /** Tells an account's channels of a notification. */
  announce: { notificationId: string };
  /** One message to one channel. */
  deliver: { deliveryId: string };
  /** All that was held back for an account's channel. */
  digest: { accountId: string; channel: ChannelId; attempts: number };
  /** Sends the folded changes of an account's day. */
  daily: { accountId: string };
  /** One attempt at a trigger. */
  trigger: { runId: string };
  /** Draws a report. */
  report: { reportId: string };
  /** Seals what a job recorded before there were seals. */
  "join-chain": { jobId: string };
  /** Has the head of an account's day stamped. */
  stamp: { accountId: string; day: string };
  /** Removes the history of jobs that were deleted, and all that is left of an account where `account` is set. */
  forget: { accountId: string; jobIds: string[]; account?: boolean };
};

export type TaskName = keyof Tasks;

/** Names that tasks had in older versions; what still waits under one is worked on all the same. */
export const formerNames: Partial<Record<TaskName, string>> = { "end-subscription": "unsubscribe" };

/** How often a check is begun before it is given up; a worker that dies counts as one. */
export const executeAttempts = 5;

type TaskOptions = Omit<BossQueue, "name" | "deadLetter">;

const outgoing: TaskOptions = {
  retryLimit: 20,
  retryBackoff: true,
  retryDelay: 2,
  retryDelayMax: 300,
  expireInSeconds: 120,
  heartbeatSeconds: 15,
  deleteAfterSeconds: 3600,
  notify: true,
};

/** Retry rules per task; what fails for good is kept in `<task>-dead`. */
export const taskOptions: Record<TaskName, TaskOptions> = {
  // A mail server may be down for a day: about 36 hours of attempts, the first ones close together.
  mail: {
    retryLimit: 220,
    retryBackoff: true,
    retryDelay: 2,
    retryDelayMax: 600,
    expireInSeconds: 120,
    heartbeatSeconds: 15,
    notify: true,
  },
  recover: {
    retryLimit: 20,
    retryBackoff: true,
    retryDelay: 2,
    retryDelayMax: 60,
    heartbeatSeconds: 30,
    notify: true,
  },
  // Somebody would go on paying for nothing, so it is tried for days.
  "end-subscription": {
    retryLimit: 150,
    retryBackoff: true,
    retryDelay: 5,
    retryDelayMax: 3600,
    heartbeatSeconds: 60,
    notify: true,
  },
  // One check of a job at a time. Hung captures end by themselves long before ten minutes.
  execute: {
    policy: "exclusive",
    retryLimit: executeAttempts - 1,
    retryBackoff: true,
    retryDelay: 2,
    retryDelayMax: 60,
    expireInSeconds: 600,
    heartbeatSeconds: 10,
    deleteAfterSeconds: 3600,
    notify: true,
  },
  // Somebody waits for it before his screen.
  preview: {
    retryLimit: 2,
    retryDelay: 1,
    expireInSeconds: 120,
    heartbeatSeconds: 20,
    deleteAfterSeconds: 3600,
    notify: true,
  },
  announce: {
    retryLimit: 20,
    retryBackoff: true,
    retryDelay: 2,
    retryDelayMax: 300,
    heartbeatSeconds: 30,
    notify: true,
  },
  // One waits for each account; what comes while it runs makes the next.
  daily: {
    policy: "short",
    retryLimit: 20,
    retryBackoff: true,
    retryDelay: 5,
    retryDelayMax: 600,
    heartbeatSeconds: 60,
    notify: true,
  },
  // Attempts at the outside are counted and put off by the tasks themselves; these retries are for processes that die.
  deliver: outgoing,
  digest: outgoing,
  trigger: outgoing,
  report: { retryLimit: 4, retryBackoff: true, retryDelay: 2, heartbeatSeconds: 60, notify: true },
  "join-chain": {
    policy: "exclusive",
    retryLimit: 4,
    retryBackoff: true,
    heartbeatSeconds: 60,
    expireInSeconds: 3600,
  },
  // An authority may be down for a day or two; a stamp that comes late is still one.
  stamp: {
    retryLimit: 60,
    retryBackoff: true,
    retryDelay: 5,
    retryDelayMax: 3600,
    heartbeatSeconds: 60,
    notify: true,
  },
  forget: {
    retryLimit: 100,
    retryBackoff: true,
    retryDelay: 5,
    retryDelayMax: 600,
    heartbeatSeconds: 60,
    notify: true,
  },
};
