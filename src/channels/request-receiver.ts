import { failureSentences } from "#network/failure.ts";
import type { FetchResponse, GuardedFetch } from "#network/guarded-fetch.ts";
import { readRetryAfter, type SendFailure } from "./retry.ts";
import type { SendRate } from "./send-rate.ts";

type Request = {
  url: string;
  method: string;
  body?: string | Uint8Array;
  type?: string;
  headers?: [string, string][];
};

/** Requests an address that a user entered: through the guard, within 15 s, reading at most 64 KiB of the response. */
export async function requestReceiver(
  http: GuardedFetch,
  { url, method, body, type, headers = [] }: Request,
): Promise<{ ok: true; response: FetchResponse } | { ok: false; failure: SendFailure }> {
  const result = await http.fetch({
    url,
    purpose: "trigger",
    method,
    totalMs: 15_000,
    keepBytes: 64 * 1024,
    headers: [...(type ? [["content-type", type] as [string, string]] : []), ...headers],
    ...(body === undefined ? {} : { body }),
  });
  if (result.ok) return result;
  const { kind } = result.failure;
  return { ok: false, failure: { message: failureSentences[kind], transient: kind !== "guard" } };
}

type Receiver = {
  name: string;
  /** Statuses that mean the address no longer exists, and the message for its owner. */
  gone: number[];
  goneWords: string;
};

export function readJson({ body }: FetchResponse): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The failure that a response stands for; null if the receiver accepted the message. */
export function judgeAnswer(
  response: FetchResponse,
  { name, gone, goneWords }: Receiver,
): SendFailure | null {
  const { status, headers } = response;
  if (status >= 200 && status < 300) return null;
  if (gone.includes(status)) return { message: goneWords, transient: false, gone: true };
  const message = `${name} answered ${status}.`;
  if (status === 429 || status === 503) {
    const { retry_after_ms: ms } = readJson(response);
    const header = headers.find(([header]) => header === "retry-after")?.[1];
    const wait = readRetryAfter(typeof ms === "number" ? String(Math.ceil(ms / 1000)) : header, new Date());
    return { message, transient: true, ...(wait || status === 429 ? { retryAfterSeconds: wait ?? 5 } : {}) };
  }
  return { message, transient: status >= 500 };
}

/** Sends within the receiver's rate limit, and pauses for as long as the receiver asks. */
export async function sendWithinRate(
  { http, pace }: { http: GuardedFetch; pace: SendRate },
  receiver: Receiver & { key: string; everyMs: number },
  request: Request,
): Promise<{ ok: true; response: FetchResponse } | { ok: false; failure: SendFailure }> {
  const seconds = await pace.take(receiver.key, receiver.everyMs);
  if (seconds > 0) {
    const message = `${receiver.name} limits how fast we may send: we’ll try again.`;
    return { ok: false, failure: { message, transient: true, retryAfterSeconds: seconds } };
  }
  const answer = await requestReceiver(http, request);
  if (!answer.ok) return answer;
  const failure = judgeAnswer(answer.response, receiver);
  if (!failure) return answer;
  if (failure.retryAfterSeconds) await pace.pause(receiver.key, failure.retryAfterSeconds);
  return { ok: false, failure };
}
