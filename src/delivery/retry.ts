import { parseRetryAfter } from "#contract/parse-retry-after.ts";

/** The outside world not taking a message, in words fit for its owner. */
export type SendFailure = {
  message: string;
  /** Worth another attempt. */
  transient: boolean;
  /** The receiver asked to wait so long; a wait that is asked for is no failed attempt. */
  retryAfterSeconds?: number;
  /** The address is no more: the chat blocked the bot, the webhook was deleted. */
  gone?: boolean;
  /** The address changed; the message is to go there. */
  movedTo?: string;
};

export type SendResult = { ok: true } | { ok: false; failure: SendFailure };

export const maxAttempts = 5;
/** Mail is the last resort and its servers are down for hours at times: about a day of attempts. */
export const maxMailAttempts = 150;

/** Seconds after each attempt. A message has mail to fall back to within half a minute; a trigger has nothing else. */
const delays = { message: [2, 4, 8, 15], trigger: [2, 8, 30, 120] };
const laterDelay = 600;

/** Seconds until the next attempt after so many, spread so that one outage's victims do not all come back at once. */
export function backoff(kind: keyof typeof delays, attempts: number): number {
  const delay = delays[kind][attempts - 1] ?? laterDelay;
  return Math.round(delay * (0.8 + 0.4 * Math.random()));
}

/** When a message is tried again after so many failed attempts; null when it is given up. */
export function planRetry(
  failure: SendFailure,
  failed: number,
  limit: number,
): { seconds: number; attempts: number } | null {
  const asked = failure.retryAfterSeconds;
  const attempts = failed + (asked ? 0 : 1);
  if (!failure.transient || attempts >= limit) return null;
  return { seconds: asked || backoff("message", attempts), attempts };
}

const longestWait = 3600;

/** The wait that a receiver asks for, in seconds: an hour at most. */
export function askedWait(retryAfter: string | undefined, now: Date): number | undefined {
  const seconds = parseRetryAfter(retryAfter, now);
  return seconds && Math.min(seconds, longestWait);
}
