import { alertValues, digestValues } from "#message-templates/alert-values.ts";
import type { TemplateValues } from "#message-templates/template.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import type { GivenChannel } from "./channel.ts";
import { type EnteredAddress, unpackAddress } from "./entered-address.ts";
import { sendWithinRate } from "./request-receiver.ts";
import { maxAttempts, type SendResult } from "./retry.ts";
import type { SendRate } from "./send-rate.ts";
import { signStandardWebhook } from "./sign-standard-webhook.ts";
import { fillWebhook, refuseWebhook } from "./webhook-template.ts";

const receiver = {
  name: "The webhook",
  gone: [410],
  goneWords: "The receiver says this address no longer exists (410).",
};
const types = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain; charset=utf-8",
};

/** Sends to any address as JSON, a form or plain text; a template can replace the default body. */
export function openWebhook(options: { http: GuardedFetch; pace: SendRate }): GivenChannel {
  async function send(
    address: EnteredAddress & { id?: string; signingSecret?: string | null },
    values: TemplateValues,
  ): Promise<SendResult> {
    const { url, token, format = "json", id, signingSecret } = address;
    const body = fillWebhook(address, values);
    const paced = { ...receiver, key: `webhook:${url}`, everyMs: 200 };
    return sendWithinRate(options, paced, {
      url,
      method: "POST",
      type: types[format],
      body,
      headers: [
        // A message that is sent again has the same id, and a signature of its own time.
        ...(id && signingSecret ? signStandardWebhook(signingSecret, id, body, new Date()) : []),
        ...(token ? [["authorization", `Bearer ${token}`] as [string, string]] : []),
      ],
    });
  }
  return {
    limits: { attempts: maxAttempts, share: null, text: 18_000 },
    address: ({ secret, id, signingSecret }) =>
      secret ? { ...unpackAddress(secret), id, signingSecret } : null,
    /** Sends nothing, because a receiver would take it for an alert. */
    async look(address) {
      const { host } = URL.parse(address.url) ?? { host: "" };
      const problem =
        /^https?:\/\/./i.test(address.url) && host ? refuseWebhook(address) : "This isn’t an HTTP address.";
      if (problem) return { ok: false, failure: { message: problem, transient: false } };
      return { ok: true, name: host };
    },
    sendAlert: (address, alert) => send(address, alertValues(alert)),
    sendDigest: (address, digest) => send(address, digestValues(digest)),
  };
}
