import type { Alert } from "#message-templates/alert.ts";
import { alertText, digestText, titleText } from "#message-templates/alert-text.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import type { GivenChannel } from "./channel.ts";
import { type EnteredAddress, unpackAddress } from "./entered-address.ts";
import { readJson, requestReceiver, sendWithinRate } from "./request-receiver.ts";
import { maxAttempts, type SendResult } from "./retry.ts";
import type { SendRate } from "./send-rate.ts";

const receiver = {
  name: "ntfy",
  gone: [401, 403],
  goneWords: "ntfy doesn’t let us write to this topic: check its name and the access token.",
};
const priorities = { info: 2, notice: 3, important: 4, critical: 5 };
const tags = { info: "information_source", notice: "mag", important: "warning", critical: "rotating_light" };

/** Publishes JSON to a topic on ntfy.sh or on the user's own server. */
export function openNtfy(options: { http: GuardedFetch; pace: SendRate }): GivenChannel {
  const { http } = options;
  const authorization = ({ token }: EnteredAddress): [string, string][] =>
    token ? [["authorization", `Bearer ${token}`]] : [];

  async function send(address: EnteredAddress, message: object): Promise<SendResult> {
    const { root, topic } = topicOf(address.url) ?? { root: address.url, topic: "" };
    const paced = { ...receiver, key: `ntfy:${root}${topic}`, everyMs: 5_000 };
    const body = JSON.stringify({ topic, ...message });
    return sendWithinRate(options, paced, {
      url: root,
      method: "POST",
      type: "application/json",
      body,
      headers: authorization(address),
    });
  }

  return {
    limits: { attempts: maxAttempts, share: null, text: 3_500 },
    address: ({ secret }) => (secret ? unpackAddress(secret) : null),
    async look(address) {
      const parts = topicOf(address.url);
      if (!parts) {
        const message = "This is not an ntfy topic; it looks like https://ntfy.sh/my-secret-topic.";
        return { ok: false, failure: { message, transient: false } };
      }
      const answer = await requestReceiver(http, { url: `${parts.root}v1/health`, method: "GET" });
      if (!answer.ok) return answer;
      if (readJson(answer.response).healthy !== true) {
        const message = "The server’s answer isn’t from ntfy.";
        return { ok: false, failure: { message, transient: answer.response.status >= 500 } };
      }
      return { ok: true, name: `${parts.topic.slice(0, 4)}… at ${new URL(parts.root).host}` };
    },
    sendAlert: (address, alert) => send(address, asMessage(alert)),
    sendDigest(address, digest) {
      const { title, text } = digestText(digest, 3_500);
      return send(address, { title, message: text, click: digest.link, priority: 3 });
    },
  };
}

function topicOf(url: string): { root: string; topic: string } | null {
  const parsed = URL.parse(url);
  const [, folder = "", topic = ""] = /^(.*\/)([\w-]{1,64})\/?$/.exec(parsed?.pathname ?? "") ?? [];
  if (!parsed || topic === "" || parsed.search !== "") return null;
  return { root: `${parsed.origin}${folder}`, topic };
}

function asMessage(alert: Alert) {
  return {
    title: titleText(alert, 200),
    // ntfy turns messages over 4,096 bytes into a file, which phones do not show.
    message: Buffer.from(alertText(alert, 2_500))
      .subarray(0, 4_000)
      .toString()
      .replace(/\ufffd$/, ""),
    priority: priorities[alert.severity],
    tags: [tags[alert.severity]],
    click: alert.link,
    actions: [{ action: "view", label: "Open", url: alert.link }],
  };
}
