import type { Alert } from "#message-templates/alert.ts";
import {
  changedLines,
  digestText,
  facts,
  prefixSign,
  templateLines,
  titleText,
} from "#message-templates/alert-text.ts";
import { cut, type Line, type Look } from "#message-templates/rich-text.ts";
import { type EgressAllow, isListed } from "#network/address-rules/egress-allow.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import { judgeUrl } from "#network/judge-url.ts";
import type { GivenChannel } from "./channel.ts";
import { unpackAddress } from "./entered-address.ts";
import { sendWithinRate } from "./request-receiver.ts";
import { maxAttempts, type SendResult } from "./retry.ts";
import type { SendRate } from "./send-rate.ts";

const host = /\.(logic\.azure\.com|api\.powerplatform\.com|webhook\.office\.com|azure-apihub\.net)$/;
const receiver = {
  name: "Microsoft Teams",
  gone: [401, 403, 404, 410],
  goneWords:
    "Teams doesn’t know this address: the workflow was removed or turned off, or its address changed.",
};

/** Sends Adaptive Cards to the workflow 'Post to a channel when a webhook request is received'. */
export function openTeams(options: { http: GuardedFetch; allow: EgressAllow; pace: SendRate }): GivenChannel {
  const { allow } = options;

  async function send(url: string, body: object[], link: string): Promise<SendResult> {
    const { hostname, pathname } = new URL(url);
    // Connectors accept four requests per second.
    const paced = { ...receiver, key: `teams:${hostname}${pathname}`, everyMs: 500 };
    const content = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      body,
      actions: [{ type: "Action.OpenUrl", title: "Open", url: link }],
      msteams: { width: "Full" },
    };
    const attachment = { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content };
    const message = JSON.stringify({ type: "message", attachments: [attachment] });
    return sendWithinRate(options, paced, { url, method: "POST", type: "application/json", body: message });
  }

  return {
    limits: { attempts: maxAttempts, share: null, text: 6_000 },
    address: ({ secret }) => (secret ? unpackAddress(secret) : null),
    /** A workflow answers only when it posts, so only the address is checked; 'Send me a test' shows the rest. */
    async look({ url }) {
      const judgement = judgeUrl(url, allow);
      if (judgement.ok) {
        const { parsed } = judgement;
        const isTheirs = parsed.url.protocol === "https:" && host.test(parsed.hostname);
        if (isTheirs || (parsed.address !== null && isListed(allow, parsed.address, parsed.port)))
          return { ok: true, name: parsed.hostname };
      }
      const message =
        "This is not a Teams workflow's address; it is at logic.azure.com, powerplatform.com or webhook.office.com.";
      return { ok: false, failure: { message, transient: false } };
    },
    sendAlert: ({ url }, alert) => send(url, alertCard(alert), alert.link),
    sendDigest({ url }, digest) {
      const { title, text } = digestText(digest, 8_000);
      return send(
        url,
        [run(title, { weight: "Bolder", size: "Medium" }), ...text.split("\n").map((line) => run(line))],
        digest.link,
      );
    },
  };
}

/** Unlike text blocks, text runs do not interpret Markdown, so text from a page stays text. */
function run(text: string, look: object = {}) {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", text, ...look }] };
}

const colors = { "+": "Good", "-": "Attention", "!": "Warning", "~": "Default" } as const;
const styles: Record<Look, object> = {
  bold: { weight: "Bolder" },
  struck: { strikethrough: true },
  code: { fontType: "Monospace" },
  removed: { strikethrough: true, color: "Attention" },
  added: { weight: "Bolder", color: "Good" },
};

function block(line: Line, look: object = {}) {
  const inlines = (line.length > 0 ? line : [{ text: " " } as Line[number]]).map((one) => ({
    type: "TextRun",
    text: one.text,
    ...look,
    ...(one.look ? styles[one.look] : {}),
  }));
  return { type: "RichTextBlock", inlines };
}

function alertCard(alert: Alert): object[] {
  const { lines, left } = changedLines(alert, 6_000);
  const own = templateLines(alert);
  return [
    run(titleText(alert, 200), { weight: "Bolder", size: "Medium" }),
    ...(own ? own.map((line) => block(line)) : [run(cut(alert.message, 500))]),
    ...(alert.note ? [run(cut(alert.note, 300), { isSubtle: true })] : []),
    ...(own
      ? []
      : [
          ...lines.map((shown) =>
            block(prefixSign(shown), { fontType: "Monospace", color: colors[shown.sign] }),
          ),
          ...(left > 0 ? [run(`… ${left} more`, { isSubtle: true })] : []),
          run([alert.severity, ...facts(alert)].join(" · "), { isSubtle: true, size: "Small" }),
        ]),
    ...(alert.question
      ? [
          run(alert.question.text),
          {
            type: "ActionSet",
            actions: alert.question.choices.map(({ label, link }) => ({
              type: "Action.OpenUrl",
              title: label,
              url: link,
            })),
          },
        ]
      : []),
  ];
}
