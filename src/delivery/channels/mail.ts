import { type Alert, type Digest, digestTitle, statusWords } from "../alert.ts";
import type { Channel } from "../channel.ts";
import { cut } from "../fill-placeholders.ts";
import type { Mailer } from "../mailer.ts";
import { maxMailAttempts, type SendResult } from "../retry.ts";

/** To whom, how to stop it, and the id by which a mail sent twice is known for the same. */
type MailAddress = { to: string; unsubscribe: string; id: string };

const perHour = { uses: 30, windowSeconds: 3600 };

/** Alerts by mail: text and HTML that say the same, and a header that ends them with one click (RFC 8058). */
export function openMailChannel(mailer: Mailer, baseUrl: string): Channel<MailAddress> {
  const host = new URL(baseUrl).hostname;
  async function send(address: MailAddress, letter: Letter, picture: Buffer | null): Promise<SendResult> {
    const result = await mailer.send({
      to: address.to,
      ...render(letter, address.unsubscribe),
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
    // What the server says may name hosts of ours.
    const { transient } = result.failure;
    const message = transient ? "The mail server did not take it yet." : "The mail server refused the mail.";
    return { ok: false, failure: { message, transient } };
  }
  return {
    limits: { attempts: maxMailAttempts, share: perHour },
    address: ({ email, unsubscribe, id }) => (email ? { to: email, unsubscribe, id } : null),
    sendAlert: (address, alert) => send(address, alertLetter(alert), alert.picture),
    sendDigest: (address, digest) => send(address, digestLetter(digest), null),
  };
}

const pictureId = "before-after@watchglass";

type Letter = {
  subject: string;
  title: string;
  note: string | null;
  facts: string[];
  lines: { sign: "+" | "-" | "!" | "•" | "…"; text: string }[];
  hasPicture: boolean;
  button: string;
  link: string;
};

function alertLetter(alert: Alert): Letter {
  const status = statusWords(alert);
  const facts = [
    alert.message,
    ...(status ? [`Status ${status}`] : []),
    ...(alert.similarity === null ? [] : [`${Math.round(alert.similarity)} % of the page stands unchanged`]),
    ...(alert.url ? [alert.url] : []),
    `${alert.at.toISOString().slice(0, 16).replace("T", " ")} UTC`,
  ];
  return {
    subject: `${alert.title}: ${alert.message}`,
    title: alert.title,
    note: alert.note,
    facts,
    lines: [
      ...alert.lines,
      ...alert.findings.map(({ kind, value }) => ({ sign: "!" as const, text: `${kind}: ${value}` })),
      ...(alert.moreLines > 0 ? [{ sign: "…" as const, text: `${alert.moreLines} more lines` }] : []),
    ],
    hasPicture: alert.picture !== null,
    button: alert.kind === "change" ? "Look at the change" : "Open Watchglass",
    link: alert.link,
  };
}

const digestLines = 200;

function digestLetter(digest: Digest): Letter {
  const { entries } = digest;
  const lines: Letter["lines"] = entries
    .slice(0, digestLines)
    .map(({ title, message }) => ({ sign: "•", text: `${cut(title, 80)}: ${cut(message, 200)}` }));
  const left = entries.length - lines.length;
  return {
    subject: digestTitle(digest),
    title: digestTitle(digest),
    note: digest.note,
    facts: ["Many of your pages changed within a minute, so the rest comes as one mail."],
    lines: [
      ...lines,
      ...(left > 0 ? [{ sign: "…" as const, text: `${left} more, all in the notifications` }] : []),
    ],
    hasPicture: false,
    button: "Open the notifications",
    link: digest.link,
  };
}

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const oneLine = (text: string) => text.replace(/[\p{Cc}\s]+/gu, " ").trim();

const paper: Record<Letter["lines"][number]["sign"], string> = {
  "+": "background:#e6f6ec;color:#14532d",
  "-": "background:#fdecec;color:#7f1d1d",
  "!": "background:#fff4e0;color:#7a4a00",
  "•": "color:#1c2630",
  "…": "color:#5a6875",
};

function render(letter: Letter, unsubscribe: string): { subject: string; text: string; html: string } {
  const subject = cut(oneLine(letter.subject), 180);
  const title = oneLine(letter.title);
  const facts = [...(letter.note ? [letter.note] : []), ...letter.facts].map((fact) =>
    cut(oneLine(fact), 500),
  );
  const lines = letter.lines.map(({ sign, text }) => ({ sign, text: cut(oneLine(text), 400) }));
  const stop = "Alerts by mail can be switched off in the profile, or here:";
  const text = [
    title,
    facts.join("\n"),
    ...(lines.length > 0 ? [lines.map((line) => `${line.sign} ${line.text}`).join("\n")] : []),
    `${letter.button}:\n${letter.link}`,
    `-- \nWatchglass\n${stop}\n${unsubscribe}`,
  ].join("\n\n");
  const small = "margin:0 0 4px;font-size:13px;line-height:20px;color:#5a6875;word-break:break-word";
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escape(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f4f6f8;font:15px/24px Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1c2630">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:640px;background:#ffffff;border:1px solid #dfe4ea;border-radius:8px">
<tr><td style="padding:24px 32px 0;font-size:16px;font-weight:600;letter-spacing:-0.01em;color:#0b7285">&#9673;&nbsp; Watchglass</td></tr>
<tr><td style="padding:20px 32px 16px">
<h1 style="margin:0 0 12px;font-size:20px;line-height:28px;font-weight:600;color:#1c2630">${escape(title)}</h1>
${facts.map((fact, index) => `<p style="${index === 0 ? "margin:0 0 8px" : small}">${escape(fact)}</p>`).join("\n")}
${letter.hasPicture ? `<p style="margin:16px 0"><img src="cid:${pictureId}" width="576" alt="Before on the left, after on the right" style="display:block;width:100%;max-width:576px;height:auto;border-radius:4px"></p>` : ""}
${
  lines.length > 0
    ? `<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="margin:16px 0;font:13px/20px ui-monospace,'JetBrains Mono',Menlo,Consolas,monospace">${lines
        .map(
          (line) =>
            `<tr><td style="padding:2px 8px;word-break:break-word;${paper[line.sign]}">${line.sign}&nbsp;${escape(line.text)}</td></tr>`,
        )
        .join("")}</table>`
    : ""
}
<p style="margin:24px 0"><a href="${escape(letter.link)}" style="display:inline-block;padding:11px 20px;border-radius:6px;background:#0b7285;color:#ffffff;font-weight:600;text-decoration:none">${escape(letter.button)}</a></p>
<p style="${small}">${stop.replace(", or here:", "")} or <a href="${escape(unsubscribe)}" style="color:#0b7285">here</a>.</p>
</td></tr></table>
</td></tr></table>
</body></html>`;
  return { subject, text, html };
}
