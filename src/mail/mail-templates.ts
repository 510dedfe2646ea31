import { escapeHtml } from "#contract/escape-html.ts";
import { keysPath } from "#contract/links.ts";
import { formatMoment } from "./format-time.ts";
import { mailButton, mailPage, smallPrint } from "./mail-page.ts";

export type MailContent = { subject: string; text: string; html: string };

type Letter = {
  subject: string;
  paragraphs: string[];
  button?: { label: string; url: string };
  closing?: string;
};

/** Renders a mail as a text part and an HTML part with the same content. */
export function renderMailContent({ subject, paragraphs, button, closing }: Letter): MailContent {
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

/** What caused an activation mail. None of its words are the caller's; `activationMail` says why. */
export type ActivationCause = {
  did: "signed up with this address" | "tried to sign in before this account was activated";
  at: Date;
  ip?: string;
  browser?: string | undefined;
};

/**
 * Nobody has confirmed this address, so nothing that a stranger typed is sent to it. Its owner can tell their own
 * sign-up from a stranger's by when and from where it came.
 */
export function activationMail(
  baseUrl: string,
  token: string,
  { did, at, ip, browser }: ActivationCause,
  isOneOfSeveral: boolean,
): MailContent {
  const from = [...(browser ? [`with ${browser}`] : []), ...(ip ? [`from ${ip}`] : [])].join(" ");
  const happened = `Someone, hopefully you, ${did} on ${formatMoment(at)}${from && ` ${from}`}.`;
  const button = { label: "Activate account", url: `${baseUrl}/account/activate/${token}` };
  if (isOneOfSeveral)
    return renderMailContent({
      subject: "Another sign-up at Watchglass with your address",
      paragraphs: [
        "Hello,",
        happened,
        "This address was used to sign up before, and that earlier activation link still works. Each link activates the account with the password chosen at its own sign-up, and the other links stop working.",
        "Open this link only if this sign-up was yours. If it was somebody else's, they would know the password of your account.",
      ],
      button,
      closing:
        "The link works once and for 24 hours. If this sign-up wasn't yours, ignore this email and use your own link.",
    });
  return renderMailContent({
    subject: "Activate your Watchglass account",
    paragraphs: ["Hello,", happened, "One click and you can watch your first page."],
    button,
    closing:
      "The link works once and for 24 hours. It activates the account with the password chosen at this sign-up. If it wasn't you, ignore this email: nobody can use the account without the link.",
  });
}

export function apiKeyMail(
  baseUrl: string,
  firstname: string,
  key: { name: string; scope: string },
): MailContent {
  return renderMailContent({
    subject: "A new API key for your Watchglass account",
    paragraphs: [
      `Hello ${firstname},`,
      `The key "${key.name}" was just created. Programs that have it can act for your account (scope: ${key.scope}).`,
    ],
    button: { label: "Review your keys", url: `${baseUrl}${keysPath}` },
    closing: "If it wasn’t you, revoke the key in your profile and set a new password.",
  });
}

export function recoveryMail(baseUrl: string, firstname: string | null, token: string): MailContent {
  return renderMailContent({
    subject: "Set a new Watchglass password",
    paragraphs: [
      firstname ? `Hello ${firstname},` : "Hello,",
      "Someone asked to set a new password for this account. If it was you, use the link below.",
    ],
    button: { label: "Set a new password", url: `${baseUrl}/recover/${token}` },
    closing:
      "The link works once and for 30 minutes. If it was not you, ignore this mail; your password stays.",
  });
}

export function addressInUseMail(baseUrl: string, firstname: string): MailContent {
  return renderMailContent({
    subject: "You already have a Watchglass account",
    paragraphs: [
      `Hello ${firstname},`,
      "Someone tried to sign up with this address. You already have an account, so no new one was created.",
    ],
    button: { label: "Sign in", url: `${baseUrl}/login` },
    closing: `Forgot your password? Set a new one at ${baseUrl}/recover. If it wasn’t you, you don’t need to do anything.`,
  });
}

/** API keys survive a password change, so an intruder who created one could still read the account. */
export function passwordChangedMail(
  baseUrl: string,
  firstname: string | null,
  keys: { working: { name: string; scope: string; lastUsedAt: Date | null }[]; revoked: string[] },
): MailContent {
  const { working, revoked } = keys;
  const list = working.map(
    ({ name, scope, lastUsedAt }) =>
      `- ${name} (${scope}), ${lastUsedAt ? `last used on ${formatMoment(lastUsedAt)}` : "never used"}`,
  );
  return renderMailContent({
    subject: "Your Watchglass password was changed",
    paragraphs: [
      firstname ? `Hello ${firstname},` : "Hello,",
      "The password of your account was just changed, and every session was signed out.",
      ...(revoked.length > 0 ? [`These API keys were revoked at the same time: ${revoked.join(", ")}.`] : []),
      ...(list.length > 0
        ? [
            `A new password doesn't affect API keys. These still work:\n${list.join("\n")}`,
            "If you don't recognize one, revoke it in your profile.",
          ]
        : []),
      "Feeds, shared links and alert channels stay as they were. You'll find them in your profile.",
    ],
    ...(list.length > 0 ? { button: { label: "Review your API keys", url: `${baseUrl}${keysPath}` } } : {}),
    closing: `If it wasn’t you, set a new password right away at ${baseUrl}/recover.`,
  });
}

export function accountDeletedMail(firstname: string): MailContent {
  return renderMailContent({
    subject: "Your Watchglass account was deleted",
    paragraphs: [
      `Goodbye ${firstname},`,
      "Your account was deleted. Its jobs have stopped, and its captures, settings and channels were removed.",
      "If this was not you, answer this mail; deletion needs the password, so somebody knows it.",
    ],
  });
}
