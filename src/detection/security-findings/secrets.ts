import { severityOf } from "../severity/severity.ts";
import { type Clue, clue } from "./clue.ts";

/**
 * `isHarmless`: no leak by itself, because a browser must know it or it only works for tests. `volatile`: it changes
 * with every visit, so only its first appearance counts.
 */
type Format = { name: string; pattern: RegExp; isHarmless?: true; volatile?: true };

/** Formats published by the issuers. */
export const secretFormats: Format[] = [
  { name: "AWS access key", pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { name: "Google API key", pattern: /\bAIza[\w-]{35}\b/g, isHarmless: true },
  { name: "GitHub token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{60,255})\b/g },
  { name: "GitLab token", pattern: /\bglpat-[\w-]{20,64}\b/g },
  { name: "Slack token", pattern: /\bxox[abeprs]-[\w-]{10,250}/g },
  { name: "Slack webhook", pattern: /\bhooks\.slack\.com\/services\/T\w{6,14}\/B\w{6,14}\/\w{18,30}/g },
  { name: "Discord webhook", pattern: /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/[\w-]{50,90}/g },
  { name: "Telegram bot token", pattern: /\b\d{8,10}:AA[\w-]{33}\b/g },
  { name: "Stripe secret key", pattern: /\b[sr]k_live_[A-Za-z0-9]{16,250}\b/g },
  { name: "Stripe test key", pattern: /\b[sr]k_test_[A-Za-z0-9]{16,250}\b/g, isHarmless: true },
  { name: "SendGrid key", pattern: /\bSG\.[\w-]{22}\.[\w-]{43}\b/g },
  { name: "Mailgun key", pattern: /\bkey-[0-9a-f]{32}\b/g },
  { name: "Twilio key", pattern: /\bSK[0-9a-f]{32}\b/g },
  { name: "npm token", pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { name: "OpenAI key", pattern: /\bsk-(?:proj-)?[A-Za-z0-9_-]{32,200}\b/g },
  { name: "private key", pattern: /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----/g },
  {
    name: "password in a URL",
    pattern:
      /\b(?:https?|ftps?|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|rediss?|amqps?|smtps?|ldaps?):\/\/[\w.%+-]{1,64}:[^\s"'`<>@/]{3,64}@[\w.-]{3,255}/g,
  },
  {
    name: "JSON web token",
    pattern: /(?<![\w-])eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,1000}/g,
    isHarmless: true,
    volatile: true,
  },
];

const assignment =
  /(?:api_?-?key|secret|passwd|password|access_?-?key|auth_?-?token|client_?-?token)[\w-]{0,20}["']?\s{0,4}[:=]\s{0,4}["']([\w/+=.~-]{12,200})["']/gi;
const harmlessName =
  /csrf|xsrf|nonce|captcha|recaptcha|label|placeholder|error|message|forgot|reset|url|site_?key|publish|public/i;

export function findSecrets(text: string): Clue[] {
  const clues: Clue[] = [];
  for (const { name, pattern, isHarmless, volatile } of secretFormats) {
    const severity = isHarmless ? severityOf.harmlessSecret : severityOf.secret;
    for (const match of text.matchAll(pattern)) {
      const value = `${name} ${maskSecret(match[0])}`;
      clues.push(clue("secret", severity, value, match.index, volatile ? name : match[0]));
    }
  }
  for (const match of text.matchAll(assignment)) {
    const value = match[1]!;
    let start = match.index;
    while (start > 0 && match.index - start < 40 && /[\w-]/.test(text[start - 1]!)) start--;
    const name = /^[\w-]+/.exec(text.slice(start, match.index + match[0].length))?.[0] ?? "";
    if (harmlessName.test(name) || !looksRandom(value)) continue;
    const shown = `${name} ${maskSecret(value)}`;
    clues.push(clue("secret", severityOf.valueNamedSecret, shown, start, name.toLowerCase()));
  }
  return clues;
}

/** Shows enough of a secret to recognize it, too little to use it. */
export function maskSecret(secret: string): string {
  if (secret.startsWith("-----")) return secret;
  const shown = secret.length >= 24 ? 4 : 2;
  return `${secret.slice(0, shown)}…${secret.slice(-2)}`;
}

function looksRandom(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(value)).length;
  return kinds >= 2 && /\d/.test(value) && new Set(value).size >= 8;
}
