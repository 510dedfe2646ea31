import { readRetryAfter, type SendFailure } from "#channels/retry.ts";
import { signStandardWebhook } from "#channels/sign-standard-webhook.ts";
import { bodyTypeOf } from "#contract/body-type.ts";
import { fillTemplate, type TemplateValues } from "#message-templates/template.ts";
import { failureSentences } from "#network/failure.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import { signTrigger } from "./sign-trigger.ts";

type NamedHeader = { name: string; value: string };

export type TriggerCall = {
  trigger: { url: string; method: string; body: string; headers: NamedHeader[] };
  values: TemplateValues & { "event.id": string };
  secret: string;
  attempt: number;
  now: Date;
};

/** A trigger's request and response. Values of the user's headers are already masked. */
export type TriggerResult = {
  request: { method: string; url: string; headers: NamedHeader[]; body: string };
  response: { status: number; headers: NamedHeader[]; body: string; truncated: boolean } | null;
  durationMs: number;
  failure: SendFailure | null;
};

const triggerLimits = { totalMs: 10_000, keepBytes: 64 * 1024 };
const mask = "••••••••";

/** Makes one attempt at a trigger: signed, through the guard, no redirects, 10 s at most. */
export async function sendTrigger(http: GuardedFetch, call: TriggerCall): Promise<TriggerResult> {
  const { trigger, values, now } = call;
  const hasBody = trigger.method !== "GET" && trigger.method !== "HEAD" && trigger.body.trim() !== "";
  const body = hasBody ? fillTemplate(trigger.body, values, bodyTypeOf(trigger.headers)) : "";
  const url = fillTemplate(trigger.url, values, "url");
  const eventId = values["event.id"];
  const ownHeaders: [string, string][] = [
    ...signStandardWebhook(call.secret, eventId, body, now),
    ["x-watchglass-event", eventId],
    ["x-watchglass-attempt", String(call.attempt)],
    ["x-watchglass-signature", signTrigger(call.secret, body, now)],
    ...(hasBody ? [["content-type", "application/json"] satisfies [string, string]] : []),
  ];
  const request = {
    method: trigger.method,
    url,
    headers: [
      ...trigger.headers.map(({ name }) => ({ name, value: mask })),
      ...ownHeaders.map(([name, value]) => ({ name, value })),
    ],
    body,
  };
  const started = performance.now();
  const result = await http.fetch({
    url,
    purpose: "trigger",
    method: trigger.method,
    userHeaders: trigger.headers.map(({ name, value }): [string, string] => [name, value]),
    headers: ownHeaders,
    ...(hasBody ? { body } : {}),
    ...triggerLimits,
  });
  const durationMs = Math.round(performance.now() - started);
  if (!result.ok) {
    const { kind } = result.failure;
    const failure = { message: failureSentences[kind], transient: kind !== "guard" };
    return { request, response: null, durationMs, failure };
  }
  const { status, headers, body: bytes, truncated } = result.response;
  const response = {
    status,
    headers: headers.map(([name, value]) => ({ name, value })),
    body: new TextDecoder().decode(bytes),
    truncated,
  };
  return { request, response, durationMs, failure: judgeStatus(status, headers, now) };
}

function judgeStatus(status: number, headers: [string, string][], now: Date): SendFailure | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return { message: `The receiver answered ${status}; redirects are not followed.`, transient: false };
  const message = `The receiver answered ${status}.`;
  const retryAfter = headers.find(([name]) => name === "retry-after")?.[1];
  const retryAfterSeconds = status === 429 || status === 503 ? readRetryAfter(retryAfter, now) : undefined;
  return {
    message,
    transient: status === 429 || status >= 500,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}
