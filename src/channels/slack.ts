import type { Alert, Digest } from "#message-templates/alert.ts";
import {
  changedLines,
  digestText,
  facts,
  type ShownLine,
  templateLines,
  titleText,
} from "#message-templates/alert-text.ts";
import { cut, type Line, type Look } from "#message-templates/rich-text.ts";
import { type EgressAllow, isListed } from "#network/address-rules/egress-allow.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import { judgeUrl } from "#network/judge-url.ts";
import type { GivenChannel } from "./channel.ts";
import { unpackAddress } from "./entered-address.ts";
import { judgeAnswer, requestReceiver, sendWithinRate } from "./request-receiver.ts";
import { maxAttempts, type SendResult } from "./retry.ts";
import type { SendRate } from "./send-rate.ts";

const path = /^\/services\/T\w+\/B\w+\/\w+$/;
const receiver = {
  name: "Slack",
  gone: [403, 404, 410],
  goneWords: "Slack doesn’t know this webhook: it was removed, or its channel is archived.",
};

/** Sends to Slack's incoming webhooks. */
export function openSlack(options: { http: GuardedFetch; allow: EgressAllow; pace: SendRate }): GivenChannel {
  const { http, allow } = options;

  function isSlack(url: string): boolean {
    const judgement = judgeUrl(url, allow);
    if (!judgement.ok) return false;
    const { parsed } = judgement;
    const isTheirs =
      parsed.url.protocol === "https:" && parsed.port === 443 && parsed.hostname === "hooks.slack.com";
    const listed = parsed.address !== null && isListed(allow, parsed.address, parsed.port);
    return (isTheirs || listed) && path.test(parsed.url.pathname);
  }

  async function send(url: string, message: object): Promise<SendResult> {
    // Slack accepts one message per second and webhook.
    const paced = { ...receiver, key: `slack:${new URL(url).pathname}`, everyMs: 1_000 };
    const body = JSON.stringify(message);
    return sendWithinRate(options, paced, { url, method: "POST", type: "application/json", body });
  }

  return {
    limits: { attempts: maxAttempts, share: null, text: 2_800 },
    address: ({ secret }) => (secret ? unpackAddress(secret) : null),
    async look({ url }) {
      if (!isSlack(url)) {
        const message =
          "This is not a Slack webhook; it looks like https://hooks.slack.com/services/T000/B000/abc.";
        return { ok: false, failure: { message, transient: false } };
      }
      // A working webhook answers an empty message with what is missing.
      const answer = await requestReceiver(http, {
        url,
        method: "POST",
        type: "application/json",
        body: "{}",
      });
      if (!answer.ok) return answer;
      const { status, body } = answer.response;
      if (status === 400 && /no_text|invalid_payload|missing_text/.test(new TextDecoder().decode(body)))
        return { ok: true, name: url.split("/").at(-2) ?? "Slack" };
      const failure = judgeAnswer(answer.response, receiver);
      return failure ? { ok: false, failure } : { ok: true, name: "Slack" };
    },
    sendAlert: ({ url }, alert) => send(url, alertMessage(alert)),
    sendDigest: ({ url }, digest) => send(url, digestMessage(digest)),
  };
}

/** Slack interprets its markup everywhere except in plain_text; only these three characters need escaping. */
const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const plain = (text: string) => ({ type: "plain_text", text, emoji: false });

function openButton(link: string) {
  return { type: "actions", elements: [{ type: "button", text: plain("Open"), url: link }] };
}

const styles: Record<Look, object> = {
  bold: { bold: true },
  struck: { strike: true },
  code: { code: true },
  removed: { strike: true },
  added: { bold: true },
};
/** Slack does not interpret markup in `rich_text`. */
const run = ({ text, look }: Line[number]) => ({
  type: "text",
  text,
  ...(look ? { style: styles[look] } : {}),
});
const section = (line: Line) => ({
  type: "rich_text_section",
  elements: (line.length > 0 ? line : [{ text: " " }]).map(run),
});

/** Puts added and removed lines into preformatted blocks, and lines with changed words between them. */
function asElements(lines: ShownLine[]): object[] {
  const elements: object[] = [];
  let block: string[] = [];
  const flush = () => {
    const text = block.join("\n");
    if (text) elements.push({ type: "rich_text_preformatted", elements: [run({ text })] });
    block = [];
  };
  for (const { sign, line } of lines) {
    if (sign !== "~") block.push(`${sign} ${line.map(({ text }) => text).join("")}`);
    else {
      flush();
      elements.push(section(line));
    }
  }
  flush();
  return elements;
}

function alertMessage(alert: Alert) {
  const { lines, left } = changedLines(alert, 2_000);
  const own = templateLines(alert);
  const elements = own
    ? own.map(section)
    : [...asElements(lines), ...(left > 0 ? [section([{ text: `… ${left} more` }])] : [])];
  const title = titleText(alert, 140);
  return {
    text: escape(cut(`${title}: ${alert.message}`, 300)),
    blocks: [
      { type: "header", text: plain(title) },
      ...(own ? [] : [{ type: "section", text: plain(cut(alert.message, 500)) }]),
      ...(elements.length > 0 ? [{ type: "rich_text", elements }] : []),
      ...(alert.note ? [{ type: "section", text: plain(cut(alert.note, 300)) }] : []),
      ...(own
        ? []
        : [
            {
              type: "context",
              elements: [plain(cut([alert.severity, ...facts(alert)].join(" · "), 1_000))],
            },
          ]),
      ...(alert.question
        ? [
            { type: "section", text: plain(cut(alert.question.text, 500)) },
            {
              type: "actions",
              elements: alert.question.choices.map(({ label, link }) => ({
                type: "button",
                text: plain(label),
                url: link,
              })),
            },
          ]
        : []),
      openButton(alert.link),
    ],
  };
}

function digestMessage(digest: Digest) {
  const { title, text } = digestText(digest, 2_900);
  return {
    text: escape(title),
    blocks: [
      { type: "header", text: plain(title) },
      { type: "section", text: plain(text) },
      openButton(digest.link),
    ],
  };
}
