import webPush from "web-push";
import { type Alert, digestTitle } from "#message-templates/alert.ts";
import { alertText, digestText, titleText } from "#message-templates/alert-text.ts";
import { cut } from "#message-templates/rich-text.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import type { Channel } from "./channel.ts";
import { isPushKey } from "./push-key.ts";
import { judgeAnswer, requestReceiver } from "./request-receiver.ts";
import { maxAttempts, type SendFailure, type SendResult } from "./retry.ts";

export type PushSubscription = { endpoint: string; keys: { p256dh: string; auth: string } };
export type PushKeys = { publicKey: string; privateKey: string };

const receiver = {
  name: "The push service",
  gone: [403, 404, 410],
  goneWords: "The browser no longer accepts notifications. Allow them there again.",
};
const invalidKey = "The browser's key isn’t valid. Turn notifications off and on again in that browser.";
const urgency = { info: "low", notice: "normal", important: "high", critical: "high" } as const;
const dayInSeconds = 24 * 3600;

/** Sends Web Push messages (RFC 8030, 8291, 8292) to all browsers of an account, encrypted and through the guard. */
export function openPush(options: {
  http: GuardedFetch;
  keys: PushKeys;
  /** The contact that a push service can turn to. */
  subject: string;
}): Channel<PushSubscription[]> {
  const { http, keys, subject } = options;

  async function sendOne(
    to: PushSubscription,
    payload: object,
    severity: keyof typeof urgency,
  ): Promise<SendFailure | null> {
    // Earlier versions accepted any key of the right length.
    if (!isPushKey(to.keys.p256dh)) return { message: invalidKey, transient: false, gone: true };
    const { endpoint, headers, body } = webPush.generateRequestDetails(to, JSON.stringify(payload), {
      vapidDetails: { subject, ...keys },
      TTL: dayInSeconds,
      urgency: urgency[severity],
    });
    const answer = await requestReceiver(http, {
      url: endpoint,
      method: "POST",
      body: new Uint8Array(body ?? Buffer.alloc(0)),
      headers: Object.entries(headers)
        .filter(([name]) => !/^content-length$/i.test(name))
        .map(([name, value]) => [name.toLowerCase(), String(value)]),
    });
    return answer.ok ? judgeAnswer(answer.response, receiver) : answer.failure;
  }

  /** Succeeds if one browser accepts the message; otherwise returns a failure worth retrying, if there is one. */
  async function send(
    to: PushSubscription[],
    payload: object,
    severity: keyof typeof urgency,
  ): Promise<SendResult> {
    const failures = await Promise.all(to.map((one) => sendOne(one, payload, severity)));
    if (failures.includes(null)) return { ok: true };
    const failure = failures.find((one) => one?.transient) ?? failures[0];
    return failure ? { ok: false, failure } : { ok: true };
  }

  return {
    limits: { attempts: maxAttempts, share: null, text: 1_900 },
    address: ({ secret }) => (secret ? (JSON.parse(secret) as PushSubscription[]) : null),
    sendAlert: (to, alert) => send(to, asPayload(alert), alert.severity),
    sendDigest(to, digest) {
      const { text } = digestText(digest, 1_500);
      return send(to, { title: digestTitle(digest), body: text, url: digest.link }, "notice");
    },
  };
}

/** A push service accepts 4,096 bytes including encryption. */
function asPayload(alert: Alert) {
  const body = Buffer.from(alertText(alert, 2_200))
    .subarray(0, 2_000)
    .toString()
    .replace(/\ufffd$/, "");
  return {
    title: cut(titleText(alert, 100), 100),
    body,
    url: alert.link,
    tag: alert.executionId ?? undefined,
  };
}
