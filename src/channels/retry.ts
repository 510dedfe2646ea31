import { parseRetryAfter } from "#host-limits/parse-retry-after.ts";

/** A receiver did not accept a message; the text is fit for the message's owner. */
export type SendFailure = {
  message: string;
  /** Another attempt may succeed. */
  transient: boolean;
  /** How long the receiver asked us to wait; such a wait does not count as a failed attempt. */
  retryAfterSeconds?: number;
  /** The address no longer exists: the chat blocked the bot, or the webhook was deleted. */
  gone?: boolean;
  /** The address changed; the message must be sent to this one. */
  movedTo?: string;
};

/** `ref` is the receiver's name for the message, if the channel can edit it later. */
export type SendResult = { ok: true; ref?: string } | { ok: false; failure: SendFailure };

export const maxAttempts = 5;
/** Mail is the last resort and mail servers are sometimes down for hours: this is about a day of attempts. */
export const maxMailAttempts = 150;

/** Seconds to wait after each attempt. A message falls back to mail within half a minute; a trigger has no fallback. */
const delays = { message: [2, 4, 8, 15], trigger: [2, 8, 30, 120] };
const laterDelay = 600;

/** Seconds until the next attempt, randomized so that not all retries come at once after an outage. */
export function backoff(kind: keyof typeof delays, attempts: number): number {
  const delay = delays[kind][attempts - 1] ?? laterDelay;
  return Math.round(delay * (0.8 + 0.4 * Math.random()));
}

/** When a message is tried again after `failed` failed attempts; null if it is given up. */
export function planRetry(
  failure: SendFailure,
  failed: number,
  limit: number,
): { seconds: number; attempts: number } | null {
  const requestedWait = failure.retryAfterSeconds;
  const attempts = failed + (requestedWait ? 0 : 1);
  if (!failure.transient || attempts >= limit) return null;
  return { seconds: requestedWait || backoff("message", attempts), attempts };
}

const longestWait = 3600;

/** The wait that a receiver asks for, in seconds; at most an hour. */
export function readRetryAfter(retryAfter: string | undefined, now: Date): number | undefined {
  const seconds = parseRetryAfter(retryAfter, now);
  return seconds && Math.min(seconds, longestWait);
}
