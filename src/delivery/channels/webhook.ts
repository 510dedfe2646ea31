import { alertPlaceholders } from "#contract/placeholders.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import { type Alert, type Digest, statusWords } from "../alert.ts";
import { alertText, diffLines, digestText } from "../alert-text.ts";
import { sendInPace } from "../ask-receiver.ts";
import type { GivenChannel } from "../channel.ts";
import { fillForm, fillJsonTemplate, fillText, unknownPlaceholder } from "../fill-template.ts";
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
type Values = Record<keyof typeof alertPlaceholders, string | number | null>;

/** Sends to any address, as JSON, a form or plain text, in one's own words where a template is put in. */
export function openWebhook(options: { http: GuardedFetch; pace: Pace }): GivenChannel {
  async function send(address: GivenAddress & { id?: string }, values: Values): Promise<SendResult> {
    const { url, token, format = "json" } = address;
    const paced = { ...receiver, key: `webhook:${url}`, everyMs: 200 };
    return sendInPace(options, paced, {
      url,
      method: "POST",
      type: types[format],
      body: fill(address, values),
      headers: [
        ...(address.id ? [["webhook-id", address.id] as [string, string]] : []),
        ...(token ? [["authorization", `Bearer ${token}`] as [string, string]] : []),
      ],
    });
  }
  return {
    limits: { attempts: maxAttempts, share: null },
    address: ({ secret, id }) => (secret ? { ...unpackAddress(secret), id } : null),
    /** Nothing is sent: a receiver would take it for an alert. */
    async look(address) {
      const { host } = URL.parse(address.url) ?? { host: "" };
      const problem =
        /^https?:\/\/./i.test(address.url) && host ? refuseTemplate(address) : "This is not an http address.";
      if (problem) return { ok: false, failure: { message: problem, transient: false } };
      return { ok: true, name: host };
    },
    sendAlert: (address, alert) => send(address, valuesOf(alert)),
    sendDigest: (address, digest) => send(address, digestValues(digest)),
  };
}

function refuseTemplate({ template = "", format = "json" }: GivenAddress): string | null {
  const unknown = unknownPlaceholder(template, alertPlaceholders);
  if (unknown)
    return `The template has ${unknown}, which stands for nothing. Known are: ${Object.keys(alertPlaceholders).join(", ")}.`;
  if (format !== "json" || template.trim() === "") return null;
  try {
    JSON.parse(fill({ url: "", template, format }, sampleValues));
    return null;
  } catch {
    return "The template is not JSON once its placeholders are filled in.";
  }
}

function fill({ template = "", format = "json" }: GivenAddress, values: Values): string {
  const own = template.trim() !== "";
  if (format === "json") return own ? fillJsonTemplate(template, values) : JSON.stringify(values);
  if (format === "text")
    return own ? fillText(template, values) : `${values.title}\n${values.text}\n${values.link}`;
  if (own) return fillForm(template, values);
  return new URLSearchParams(
    Object.entries(values).map(([name, value]) => [name, String(value ?? "")]),
  ).toString();
}

function valuesOf(alert: Alert): Values {
  return {
    kind: alert.kind,
    severity: alert.severity,
    title: alert.title,
    message: alert.message,
    url: alert.url,
    link: alert.link,
    time: alert.at.toISOString(),
    job: alert.jobId,
    execution: alert.executionId,
    status: statusWords(alert),
    similarity: alert.similarity,
    diff: diffLines(alert, 16_000).lines.join("\n"),
    text: alertText(alert, 18_000),
  };
}

function digestValues(digest: Digest): Values {
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
    diff: "",
    text,
    ...none,
  };
}

const sampleValues: Values = {
  kind: "change",
  severity: "notice",
  title: 'A "title"',
  message: "2 lines\nadded",
  url: "https://example.com/?a=1&b=2",
  link: "https://example.com/",
  time: "2026-01-01T00:00:00.000Z",
  job: null,
  execution: null,
  status: "404 → 200",
  similarity: 97.5,
  diff: '- "a"\n+ \\b',
  text: 'A "text"',
};
