const hour = 3600;
const day = 24 * hour;

/**
 * How long rows are kept that no plan decides about, in seconds after the moment that their table names. The history of
 * jobs and its notifications are kept as long as the account's plan says (`retentionDays` in `plans/plans.ts`).
 */
export const retentionSeconds = {
  auditEntries: 365 * day,
  /** Payment events that belong to no account. */
  strayBillingEvents: 90 * day,
  /** Late events of the payment provider may still name a checkout that was never paid. */
  unusedCheckouts: 7 * day,
  /** Telegram repeats an update for a day at most. */
  telegramUpdates: 3 * day,
  /** Open pages read live events within seconds. */
  liveEvents: day,
  previews: hour,
  liveViews: hour,
  /** Answers of models to questions about changes, for when the same question comes again. */
  opinionAnswers: 7 * day,
  /** How much of a model was used, request by request. */
  opinionCalls: 400 * day,
  sendTurns: hour,
  /** Contents that nothing refers to: a check that runs may be about to refer to one. */
  unreferencedContents: hour,
  /** Blobs without a row: whoever wrote one writes its row within seconds. */
  orphanedBlobs: day,
  /** Sessions, links, rate limits and pauses of hosts are of no use once they are over. */
  overdue: 0,
} as const;

/** The share of the storage limit that remains after old executions are deleted to make room. */
export const shrinkToShare = 0.9;

/** In this first share of the plan's days every execution is kept; later only changes and one check a day. */
export const fullHistoryShare = 0.1;
