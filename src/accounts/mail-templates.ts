export type MailContent = { subject: string; text: string; html: string };

type Letter = {
  subject: string;
  paragraphs: string[];
  button?: { label: string; url: string };
  closing?: string;
};

/** Page-derived and user-given values are text in a mail, never markup. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

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
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f4f6f8;font:15px/24px Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1c2630">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:520px;background:#ffffff;border:1px solid #dfe4ea;border-radius:8px">
<tr><td style="padding:24px 32px 0;font-size:16px;font-weight:600;letter-spacing:-0.01em;color:#0b7285">&#9673;&nbsp; Watchglass</td></tr>
<tr><td style="padding:20px 32px 16px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600;color:#1c2630">${escapeHtml(subject)}</h1>
${paragraphs.map((line) => paragraph(line)).join("\n")}
${
  button
    ? `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:11px 20px;border-radius:6px;background:#0b7285;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(button.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;line-height:20px;color:#5a6875">Or open this address:<br><a href="${escapeHtml(button.url)}" style="color:#0b7285;word-break:break-all">${escapeHtml(button.url)}</a></p>`
    : ""
}
${closing ? paragraph(closing, "font-size:13px;line-height:20px;color:#5a6875") : ""}
</td></tr></table>
</td></tr></table>
</body></html>`;
  return { subject, text, html };
}

export function activationMail(baseUrl: string, firstname: string, token: string): MailContent {
  return renderLetter({
    subject: "Activate your Watchglass account",
    paragraphs: [`Hello ${firstname},`, "One click and you can watch your first page."],
    button: { label: "Activate account", url: `${baseUrl}/account/activate/${token}` },
    closing:
      "The link works once and for 24 hours. If you did not sign up, ignore this mail; nothing happens.",
  });
}

export function recoveryMail(baseUrl: string, firstname: string, token: string): MailContent {
  return renderLetter({
    subject: "Set a new Watchglass password",
    paragraphs: [
      `Hello ${firstname},`,
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
