import type { Queue as BossQueue } from "pg-boss";
import type { ChannelId } from "#channels/channel-list.ts";

/** The tasks of the queue. Payloads hold ids or encrypted values, never a secret in plain text. */
export type Tasks = {
  mail: { sealed: string };
  recover: { sealed: string };
  /** Ends a subscription at the payment provider after its account was deleted. */
  "end-subscription": { subscriptionId: string };
  /**
   * One capture of a job's check; its confirmation if `confirmation` names what the first capture left. `waitsSince` is
   * when it first found the store for captures unavailable.
   */
  execute: { jobId: string; confirmation?: string; waitsSince?: string };
  /** A part of the crawl of a job's site. */
  crawl: { jobId: string };
  /** Applies the rules that make jobs of a site's pages, after a run. */
  "site-rules": { jobId: string };
  /** One capture of a page that no job watches yet. */
  preview: { previewId: string };
  /** Announces a notification on an account's channels. */
  announce: { notificationId: string };
  /** Asks a model for its opinion about a change that is announced. */
  opinion: { notificationId: string };
  /** Sends one message to one channel. */
  deliver: { deliveryId: string };
  /** Adds the pages that joined a message's incident to the message. */
  "edit-alert": { deliveryId: string; attempts: number };
  /** Tells the pages that joined an incident if no other message did. */
  "close-incident": { incidentId: string };
  /** Marks the changes of an incident as noise, or undoes that. */
  "incident-noise": { incidentId: string };
  /** Sends everything that was held back for an account's channel. */
  digest: { accountId: string; channel: ChannelId; attempts: number };
  /** Sends the daily digest of an account's digest-only changes. */
  daily: { accountId: string };
  /** Makes one attempt to fire a trigger. */
  trigger: { runId: string };
  /** Draws a report. */
  report: { reportId: string };
  /** Seals what a job recorded before seals existed. */
  "join-chain": { jobId: string };
  /** Looks for what the account wants to know of among the lines that an execution saw first. */
  "match-search-alerts": { accountId: string; executionId: string };
  /** Indexes what a job recorded before the page index existed, or that was imported. */
  "index-history": { jobId: string };
  /** Gets a timestamp for an account's daily seal. */
  stamp: { accountId: string; day: string };
  /** Sends an account's daily fingerprint to a place outside the installation. */
  anchor: { accountId: string; day: string; target: "webhook" | "bucket" };
  /** Removes the history of deleted jobs, and all that is left of an account if `account` is set. */
  forget: { accountId: string; jobIds: string[]; account?: boolean };
};

export type TaskName = keyof Tasks;

/** Names that tasks had in older versions; tasks that still wait under one are worked on too. */
export const formerNames: Partial<Record<TaskName, string>> = { "end-subscription": "unsubscribe" };

/** How many times a check is started before it is given up; a worker that dies counts as one attempt. */
export const maxCheckAttempts = 5;

type TaskOptions = Omit<BossQueue, "name" | "deadLetter">;

// A claim that lapses while a message is being sent can cause a second one. So it lapses late: a mail server may take
// minutes to accept a mail, and a starved machine is late with its heartbeats. It still lapses within a minute of a
// worker's death (`superviseSeconds`).
const sending = { expireInSeconds: 300, heartbeatSeconds: 30 };

const outgoing: TaskOptions = {
  ...sending,
  retryLimit: 20,
  retryBackoff: true,
  retryDelay: 2,
  retryDelayMax: 300,
  deleteAfterSeconds: 3600,
  notify: true,
};

/** Retry rules per task; a task that fails for good goes to `<task>-dead`. */
export const taskOptions: Record<TaskName, TaskOptions> = {
  // A mail server may be down for a day: about 36 hours of attempts, the first ones close together.
  mail: {
    ...sending,
    retryLimit: 220,
    retryBackoff: true,
    retryDelay: 2,
    retryDelayMax: 600,
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
  // Otherwise somebody would go on paying for nothing, so it is retried for days.
  "end-subscription": {
    retryLimit: 150,
    retryBackoff: true,
    retryDelay: 5,
    retryDelayMax: 3600,
    heartbeatSeconds: 60,
    notify: true,
  },
  // One check per job at a time. Hung captures end by themselves long before ten minutes.
  execute: {
    policy: "exclusive",
    retryLimit: maxCheckAttempts - 1,
    retryBackoff: true,
    retryDelay: 2,
    retryDelayMax: 60,
    expireInSeconds: 600,
    heartbeatSeconds: 10,
    deleteAfterSeconds: 3600,
    notify: true,
  },
  // One crawl per job at a time; each task is over within a minute, and the next goes on where it ended.
  crawl: {
    policy: "exclusive",
    retryLimit: 30,
    retryBackoff: true,
    retryDelay: 2,
    retryDelayMax: 300,
    expireInSeconds: 300,
    heartbeatSeconds: 10,
    deleteAfterSeconds: 3600,
    notify: true,
  },
  "site-rules": {
    policy: "exclusive",
    retryLimit: 10,
    retryBackoff: true,
    retryDelay: 2,
    heartbeatSeconds: 60,
    notify: true,
  },
  // Somebody is waiting for it at the screen.
  preview: {
    retryLimit: 2,
    retryDelay: 1,
    expireInSeconds: 180,
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
  // The alert doesn't wait for a second attempt: it is sent without an opinion.
  opinion: { retryLimit: 0, expireInSeconds: 90, deleteAfterSeconds: 3600, notify: true },
  // At most one waits per account; changes that come while it runs create the next.
  daily: {
    policy: "short",
    retryLimit: 20,
    retryBackoff: true,
    retryDelay: 5,
    retryDelayMax: 600,
    heartbeatSeconds: 60,
    notify: true,
  },
  // The tasks count and delay their own attempts to reach the outside; these retries are for processes that die.
  deliver: outgoing,
  digest: outgoing,
  // At most one waits per message; pages that join while it runs create the next.
  "edit-alert": { ...outgoing, policy: "short" },
  // At most one waits per incident; one that is queued while it runs goes on with what the user wants then.
  "incident-noise": {
    policy: "short",
    retryLimit: 10,
    retryBackoff: true,
    retryDelay: 2,
    heartbeatSeconds: 60,
    expireInSeconds: 3600,
    notify: true,
  },
  "close-incident": {
    retryLimit: 100,
    retryBackoff: true,
    retryDelay: 2,
    retryDelayMax: 300,
    heartbeatSeconds: 30,
    deleteAfterSeconds: 3600,
  },
  trigger: outgoing,
  // The store for captures may be away for minutes.
  report: { retryLimit: 10, retryBackoff: true, retryDelay: 2, heartbeatSeconds: 60, notify: true },
  "join-chain": {
    policy: "exclusive",
    retryLimit: 10,
    retryBackoff: true,
    heartbeatSeconds: 60,
    expireInSeconds: 3600,
  },
  "match-search-alerts": {
    retryLimit: 20,
    retryBackoff: true,
    retryDelay: 2,
    retryDelayMax: 300,
    heartbeatSeconds: 30,
    notify: true,
  },
  "index-history": {
    policy: "exclusive",
    retryLimit: 10,
    retryBackoff: true,
    heartbeatSeconds: 60,
    expireInSeconds: 3600,
  },
  // A timestamp authority may be down for a day or two; a late timestamp is still valid.
  stamp: {
    retryLimit: 60,
    retryBackoff: true,
    retryDelay: 5,
    retryDelayMax: 3600,
    heartbeatSeconds: 60,
    notify: true,
  },
  // A receiver may be down for a day or two; a late copy still proves everything after it.
  anchor: {
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

export const taskNames = Object.keys(taskOptions) as TaskName[];
