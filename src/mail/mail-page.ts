import { escapeHtml } from "#contract/escape-html.ts";

type Page = {
  subject: string;
  title: string;
  /** HTML; inserted values are already escaped. */
  body: string;
  width: number;
};

/** The layout of all our mails; it uses tables and inline styles because mail programs support little else. */
export function mailPage({ subject, title, body, width }: Page): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f4f6f8;font:15px/24px Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1c2630">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:${width}px;background:#ffffff;border:1px solid #dfe4ea;border-radius:8px">
<tr><td style="padding:24px 32px 0;font-size:16px;font-weight:600;letter-spacing:-0.01em;color:#0b7285">&#9673;&nbsp; Watchglass</td></tr>
<tr><td style="padding:20px 32px 16px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600;color:#1c2630">${escapeHtml(title)}</h1>
${body}
</td></tr></table>
</td></tr></table>
</body></html>`;
}

export function mailButton(label: string, url: string): string {
  return `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:11px 20px;border-radius:6px;background:#0b7285;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`;
}

/** Style of secondary text. */
export const smallPrint = "font-size:13px;line-height:20px;color:#5a6875";
