import { escapeHtml } from "#contract/escape-html.ts";
import { profilePath } from "#contract/links.ts";
import { mailButton, mailPage, smallPrint } from "#delivery/mail-page.ts";

export type MailContent = { subject: string; text: string; html: string };

type Letter = {
  subject: string;
  paragraphs: string[];
  button?: { label: string; url: string };
  closing?: string;
};

/** One plain, good-looking letter: a text part and an HTML part that say the same. */
export function renderLetter({ subject, paragraphs, button, closing }: Letter): MailContent {
  const text = [
    ...paragraphs,
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...(closing ? [closing] : []),
    "-- \nWatchglass",
  ].join("\n\n");
  const paragraph = (line: string, style = "") =>
    `<p style="margin:0 0 16px;${style}">${escapeHtml(line).replaceAll("\n", "<br>")}</p>`;
  const link = button && escapeHtml(button.url);
  const body = [
    ...paragraphs.map((line) => paragraph(line)),
    ...(button
      ? [
          mailButton(button.label, button.url),
          `<p style="margin:0 0 16px;${smallPrint}">Or open this address:<br><a href="${link}" style="color:#0b7285;word-break:break-all">${link}</a></p>`,
        ]
      : []),
    ...(closing ? [paragraph(closing, smallPrint)] : []),
  ].join("\n");
  const html = mailPage({ subject, title: subject, body, width: 520 });
  return { subject, text, html };
}

/** Nobody has confirmed this address: what a stranger wrote as their name is not sent to it. */
export function activationMail(baseUrl: string, token: string): MailContent {
  return renderLetter({
    subject: "Activate your Watchglass account",
    paragraphs: ["Hello,", "One click and you can watch your first page."],
    button: { label: "Activate account", url: `${baseUrl}/account/activate/${token}` },
    closing:
      "The link works once and for 24 hours. If you did not sign up, ignore this mail; nothing happens.",
  });
}

export function apiKeyMail(
  baseUrl: string,
  firstname: string,
  key: { name: string; scope: string },
): MailContent {
  return renderLetter({
    subject: "A new API key for your Watchglass account",
    paragraphs: [
      `Hello ${firstname},`,
      `The key "${key.name}" was made just now. Programs that have it can call for your account (scope: ${key.scope}).`,
    ],
    button: { label: "Look at your keys", url: `${baseUrl}${profilePath}` },
    closing: "If it was not you, revoke the key in your profile and set a new password.",
  });
}

export function recoveryMail(baseUrl: string, firstname: string | null, token: string): MailContent {
  return renderLetter({
    subject: "Set a new Watchglass password",
    paragraphs: [
      firstname ? `Hello ${firstname},` : "Hello,",
      "Somebody, hopefully you, asked for a new password for this account.",
    ],
    button: { label: "Set a new password", url: `${baseUrl}/recover/${token}` },
    closing:
      "The link works once and for 30 minutes. If it was not you, ignore this mail; your password stays.",
  });
}

export function addressInUseMail(baseUrl: string, firstname: string): MailContent {
  return renderLetter({
    subject: "You already have a Watchglass account",
    paragraphs: [
      `Hello ${firstname},`,
      "Somebody, hopefully you, tried to sign up with this address. There is an account with it already, so no second one was made.",
    ],
    button: { label: "Sign in", url: `${baseUrl}/login` },
    closing: `Forgotten the password? Set a new one at ${baseUrl}/recover. If it was not you, there is nothing to do.`,
  });
}

export function passwordChangedMail(baseUrl: string, firstname: string): MailContent {
  return renderLetter({
    subject: "Your Watchglass password was changed",
    paragraphs: [
      `Hello ${firstname},`,
      "The password of your account was changed just now, and every session was signed out.",
    ],
    closing: `If it was not you, set a new password at once at ${baseUrl}/recover.`,
  });
}

export function accountDeletedMail(firstname: string): MailContent {
  return renderLetter({
    subject: "Your Watchglass account was deleted",
    paragraphs: [
      `Goodbye ${firstname},`,
      "Your account is deleted: its jobs have stopped, and its captures, settings and channels are gone.",
      "If this was not you, answer this mail; deletion needs the password, so somebody knows it.",
    ],
  });
}
