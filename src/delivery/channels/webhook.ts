import type { GuardedFetch } from "#network/guarded-fetch.ts";
import type { Digest } from "../alert.ts";
import { digestText } from "../alert-text.ts";
import { type AlertValues, alertValues } from "../alert-values.ts";
import { sendInPace } from "../ask-receiver.ts";
import type { GivenChannel } from "../channel.ts";
import { fillWebhook, refuseWebhook } from "../fill-webhook.ts";
import { type GivenAddress, unpackAddress } from "../given-address.ts";
import type { Pace } from "../pace.ts";
import { maxAttempts, type SendResult } from "../retry.ts";

const receiver = {
  name: "The webhook",
  gone: [410],
  goneWords: "The receiver says that this address is gone (410).",
};
const types = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain; charset=utf-8",
};

/** Sends to any address, as JSON, a form or plain text, in one's own words where a template is put in. */
export function openWebhook(options: { http: GuardedFetch; pace: Pace }): GivenChannel {
  async function send(address: GivenAddress & { id?: string }, values: AlertValues): Promise<SendResult> {
    const { url, token, format = "json" } = address;
    const paced = { ...receiver, key: `webhook:${url}`, everyMs: 200 };
    return sendInPace(options, paced, {
      url,
      method: "POST",
      type: types[format],
      body: fillWebhook(address, values),
      headers: [
        ...(address.id ? [["webhook-id", address.id] as [string, string]] : []),
        ...(token ? [["authorization", `Bearer ${token}`] as [string, string]] : []),
      ],
    });
  }
  return {
    limits: { attempts: maxAttempts, share: null, text: 18_000 },
    address: ({ secret, id }) => (secret ? { ...unpackAddress(secret), id } : null),
    /** Nothing is sent: a receiver would take it for an alert. */
    async look(address) {
      const { host } = URL.parse(address.url) ?? { host: "" };
      const problem =
        /^https?:\/\/./i.test(address.url) && host ? refuseWebhook(address) : "This is not an http address.";
      if (problem) return { ok: false, failure: { message: problem, transient: false } };
      return { ok: true, name: host };
    },
    sendAlert: (address, alert) => send(address, alertValues(alert)),
    sendDigest: (address, digest) => send(address, digestValues(digest)),
  };
}

function digestValues(digest: Digest): AlertValues {
  const { title, text } = digestText(digest, 18_000);
  const none = { url: null, job: null, execution: null, status: null, similarity: null };
  const at = digest.entries.at(-1)?.at ?? new Date();
  return {
    kind: "digest",
    severity: "notice",
    title,
    message: text,
    link: digest.link,
    time: at.toISOString(),
    words: "",
    diff: "",
    text,
    ...none,
  };
}
