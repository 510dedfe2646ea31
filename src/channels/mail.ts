import { escapeHtml } from "#contract/escape-html.ts";
import { formatMoment } from "#mail/format-time.ts";
import { mailButton, mailPage, smallPrint } from "#mail/mail-page.ts";
import type { Mailer } from "#mail/mailer.ts";
import {
  type Alert,
  conditionWords,
  type Digest,
  digestTitle,
  opinionWords,
  statusWords,
} from "#message-templates/alert.ts";
import { changedLines, entryText, templateLines, titleText } from "#message-templates/alert-text.ts";
import { cut, type Line, type Markup, plainMarkup, writeLine } from "#message-templates/rich-text.ts";
import type { Channel } from "./channel.ts";
import { maxMailAttempts, type SendResult } from "./retry.ts";

/** The recipient, the unsubscribe link, and the id by which a mail sent twice is recognized. */
type MailAddress = { to: string; unsubscribe: string; id: string };

const perHour = { uses: 30, windowSeconds: 3600 };

/** Sends alerts by mail: text and HTML with the same content, and a header for one-click unsubscribing (RFC 8058). */
export function openMailChannel(mailer: Mailer, baseUrl: string): Channel<MailAddress> {
  const host = new URL(baseUrl).hostname;
  async function send(address: MailAddress, mail: AlertMail, picture: Buffer | null): Promise<SendResult> {
    const result = await mailer.send({
      to: address.to,
      ...render(mail, address.unsubscribe),
      messageId: `<${address.id}@${host}>`,
      headers: {
        "List-Unsubscribe": `<${address.unsubscribe}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
      },
      attachments: picture
        ? [{ filename: "before-after.jpg", content: picture, cid: pictureId, contentType: "image/jpeg" }]
        : [],
    });
    if (result.ok) return result;
    // The mail server's message may name internal hosts.
    const { transient } = result.failure;
    const message = transient
      ? "The mail server hasn’t accepted it yet."
      : "The mail server refused the mail.";
    return { ok: false, failure: { message, transient } };
  }
  return {
    limits: { attempts: maxMailAttempts, share: perHour, text: 20_000 },
    address: ({ email, unsubscribe, id }) => (email ? { to: email, unsubscribe, id } : null),
    sendAlert: (address, alert) => send(address, alertMail(alert), alert.picture),
    sendDigest: (address, digest) => send(address, digestMail(digest), null),
  };
}

const pictureId = "before-after@watchglass";

type AlertMail = {
  subject: string;
  title: string;
  note: string | null;
  facts: string[];
  /** The user's own text instead of facts and lines. */
  own: Line[] | undefined;
  lines: { sign: "+" | "-" | "~" | "!" | "•" | "…"; line: Line }[];
  hasPicture: boolean;
  button: string;
  link: string;
  question: Alert["question"];
};

function alertMail(alert: Alert): AlertMail {
  const status = statusWords(alert);
  const [condition, opinion] = [conditionWords(alert), opinionWords(alert)];
  const facts = [
    alert.message,
    ...(opinion ? [opinion] : []),
    ...(condition ? [condition] : []),
    ...(status ? [`Status ${status}`] : []),
    ...(alert.similarity === null ? [] : [`${Math.round(alert.similarity)}% of the page is unchanged`]),
    ...(alert.url ? [alert.url] : []),
    formatMoment(alert.at),
  ];
  const own = templateLines(alert);
  const { lines, left } = changedLines(alert, 40_000);
  return {
    subject: alert.own?.title ?? `${alert.title}: ${alert.message}`,
    title: titleText(alert, 200),
    note: alert.note,
    facts: own ? [] : facts,
    own,
    lines: own
      ? []
      : [...lines, ...(left > 0 ? [{ sign: "…" as const, line: [{ text: `${left} more` }] }] : [])],
    hasPicture: alert.picture !== null,
    button: alert.kind === "change" ? "View the change" : "Open Watchglass",
    link: alert.link,
    question: alert.question,
  };
}

const digestLines = 200;

function digestMail(digest: Digest): AlertMail {
  const { entries } = digest;
  const lines: AlertMail["lines"] = entries.slice(0, digestLines).map((entry) => ({
    sign: "•",
    line: [{ text: oneLine(`${cut(entry.title, 80)}: ${entryText(entry, 200)}`) }],
  }));
  const left = entries.length - lines.length;
  const opinion = opinionWords(digest);
  return {
    subject: digestTitle(digest),
    title: digestTitle(digest),
    note: digest.note,
    facts: [
      digest.isDaily
        ? "Frequent changes outside the main content of your pages, and everything you set to the daily digest."
        : digest.followsSchedule
          ? "Changes since the last digest."
          : "Many of your pages changed within a minute, so the remaining changes are in one email.",
      ...(opinion ? [opinion] : []),
    ],
    own: undefined,
    lines: [
      ...lines,
      ...(left > 0 ? [{ sign: "…" as const, line: [{ text: `${left} more in your notifications` }] }] : []),
    ],
    hasPicture: false,
    button: "Open the notifications",
    link: digest.link,
    question: null,
  };
}

const oneLine = (text: string) => text.replace(/[\p{Cc}\s]+/gu, " ").trim();

const markup: Markup = {
  escape: (text) => escapeHtml(text.replace(/\p{Cc}+/gu, " ")),
  marks: {
    bold: ["<strong>", "</strong>"],
    struck: ["<del>", "</del>"],
    code: ["<code>", "</code>"],
    removed: ['<del style="background:#fdecec;color:#7f1d1d">', "</del>"],
    added: ['<ins style="background:#e6f6ec;color:#14532d;font-weight:600;text-decoration:none">', "</ins>"],
  },
};

const lineStyles: Record<AlertMail["lines"][number]["sign"], string> = {
  "+": "background:#e6f6ec;color:#14532d",
  "-": "background:#fdecec;color:#7f1d1d",
  "~": "background:#f4f6f8;color:#1c2630",
  "!": "background:#fff4e0;color:#7a4a00",
  "•": "color:#1c2630",
  "…": "color:#5a6875",
};

function render(mail: AlertMail, unsubscribe: string): { subject: string; text: string; html: string } {
  const { lines } = mail;
  const subject = cut(oneLine(mail.subject), 180);
  const title = oneLine(mail.title);
  const facts = [...(mail.note ? [mail.note] : []), ...mail.facts].map((fact) => cut(oneLine(fact), 500));
  const stop = "You can turn off email alerts in your profile, or here:";
  const text = [
    title,
    ...(mail.own ? [mail.own.map((line) => writeLine(line, plainMarkup)).join("\n")] : []),
    ...(facts.length > 0 ? [facts.join("\n")] : []),
    ...(lines.length > 0
      ? [lines.map(({ sign, line }) => `${sign} ${writeLine(line, plainMarkup)}`).join("\n")]
      : []),
    `${mail.button}:\n${mail.link}`,
    ...(mail.question
      ? [
          [mail.question.text, ...mail.question.choices.map(({ label, link }) => `${label}: ${link}`)].join(
            "\n",
          ),
        ]
      : []),
    `-- \nWatchglass\n${stop}\n${unsubscribe}`,
  ].join("\n\n");
  const small = `margin:0 0 4px;word-break:break-word;${smallPrint}`;
  const body = [
    ...(mail.own
      ? [`<p style="margin:0 0 8px">${mail.own.map((line) => writeLine(line, markup)).join("<br>")}</p>`]
      : []),
    ...facts.map(
      (fact, index) => `<p style="${index === 0 ? "margin:0 0 8px" : small}">${escapeHtml(fact)}</p>`,
    ),
    ...(mail.hasPicture ? [picture] : []),
    ...(lines.length > 0 ? [lineTable(lines)] : []),
    mailButton(mail.button, mail.link),
    ...(mail.question ? [questionRow(mail.question)] : []),
    `<p style="${small}">${stop.replace(", or here:", "")} or <a href="${escapeHtml(unsubscribe)}" style="color:#0b7285">here</a>.</p>`,
  ].join("\n");
  return { subject, text, html: mailPage({ subject, title, body, width: 640 }) };
}

const picture = `<p style="margin:16px 0"><img src="cid:${pictureId}" width="576" alt="Before on the left, after on the right" style="display:block;width:100%;max-width:576px;height:auto;border-radius:4px"></p>`;

function questionRow({ text, choices }: NonNullable<Alert["question"]>): string {
  const links = choices.map(
    ({ label, link }) =>
      `<a href="${escapeHtml(link)}" style="display:inline-block;margin:0 8px 8px 0;padding:8px 14px;border:1px solid #0b7285;border-radius:6px;color:#0b7285;text-decoration:none">${escapeHtml(label)}</a>`,
  );
  return `<p style="margin:16px 0 8px">${escapeHtml(text)}</p><p style="margin:0 0 8px">${links.join("")}</p>`;
}

function lineTable(lines: AlertMail["lines"]): string {
  const rows = lines.map(
    ({ sign, line }) =>
      `<tr><td style="padding:2px 8px;word-break:break-word;${lineStyles[sign]}">${sign}&nbsp;${writeLine(line, markup)}</td></tr>`,
  );
  return `<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="margin:16px 0;font:13px/20px ui-monospace,'JetBrains Mono',Menlo,Consolas,monospace">${rows.join("")}</table>`;
}
