import { getDomain } from "tldts";
import type { Snapshot } from "#contract/capture.ts";
import type { WallKind } from "#contract/wall.ts";
import { isPasteScam } from "#detection/hacked-pages/paste-scam.ts";

export type Seen = Pick<
  Snapshot,
  "status" | "headers" | "title" | "html" | "text" | "forms" | "finalUrl" | "kind"
>;
/** What is known from the last capture: a login that replaces content is a wall, a page that always was one is not. */
export type Before = { finalUrl: string; hasPassword: boolean; hasPasswordNow: boolean };

/** What stands between us and the page, with a sentence about it. */
export type Wall = { kind: WallKind; sentence: string };

type Mark = {
  name: string;
  header?: [name: string, value: RegExp];
  title?: RegExp;
  /** All must match. Every quantifier is bounded, because the page controls the input. */
  html?: RegExp[];
  /** Also served along with content, so it counts as a wall only with an error status. */
  refusedOnly?: boolean;
};

export const marks: Mark[] = [
  { name: "Cloudflare", header: ["cf-mitigated", /challenge/i] },
  {
    name: "Cloudflare",
    html: [
      /\/cdn-cgi\/challenge-platform\/[^"']{0,100}\/orchestrate\/|window\._cf_chl_opt|cf-browser-verification/,
    ],
  },
  { name: "Cloudflare", title: /^(just a moment\.\.\.|attention required! \| cloudflare)$/i },
  {
    name: "Akamai",
    html: [/errors\.edgesuite\.net|akamai-block/i],
    title: /^access denied$/i,
    refusedOnly: true,
  },
  { name: "Akamai", html: [/sec-if-cpt-container|\/_sec\/cp_challenge\//i] },
  { name: "HUMAN (PerimeterX)", html: [/id=["']px-captcha["']/i] },
  { name: "HUMAN (PerimeterX)", html: [/window\._pxAppId/i, /captcha\.px-c(loud|dn)\.net/i] },
  { name: "DataDome", header: ["x-dd-b", /./], refusedOnly: true },
  { name: "DataDome", html: [/(geo|ct)\.captcha-delivery\.com/i], refusedOnly: true },
  { name: "AWS WAF", header: ["x-amzn-waf-action", /captcha|challenge/i] },
  {
    name: "AWS WAF",
    html: [/\.awswaf\.com\/[^"']{0,200}\/(challenge|captcha)\.js/i, /AwsWafIntegration/i],
    refusedOnly: true,
  },
  {
    name: "Imperva",
    html: [
      /_Incapsula_Resource\?[^"']{0,500}(incident_id|SWUDNSAI|CWUDNSAI)|Request unsuccessful\. Incapsula incident/i,
    ],
  },
  { name: "Sucuri", html: [/sucuri website firewall - access denied|sucuri_cloudproxy_js/i] },
  { name: "Kasada", header: ["x-kpsdk-ct", /./], refusedOnly: true },
  { name: "Vercel", header: ["x-vercel-mitigated", /challenge|deny/i] },
  { name: "Anubis", html: [/id=["']anubis_challenge["']/] },
];

const human =
  /verif(y|ying) (that )?you('re| are) (a )?(not a robot|human)|(confirm|prove) (that )?you('re| are) (a )?(not a robot|human)|are you a (robot|human)\?|press (&|and) hold to confirm|checking (if the site connection is secure|your browser before)|unusual (traffic|activity) (from|detected)|enable javascript and cookies to continue|complete the (security check|captcha) to/i;
const captcha = /class=["'][^"']{0,200}\b(g-recaptcha|h-captcha|cf-turnstile|frc-captcha)\b/i;
const signIn = /(^|[/._-])(log-?in|sign-?in|sso|oauth2?|authorize|auth|account\/login)([/._-]|$)/i;
const signInTitle = /\b(log ?in|sign ?in|anmelden|connexion|iniciar sesi[oó]n|entrar)\b/i;

// In characters. A wall has little text; a page with more text than this merely mentions one.
const wallText = 1_500;
// In characters. A wall is recognizable at the start of its HTML; the rest is not searched.
export const maxWallHtml = 200_000;

/** Recognizes a bot wall, a captcha or a login that replaces the content. */
export function recognizeWall(seen: Seen, before: Before | null): Wall | null {
  if (seen.kind !== "html") return null;
  const text = seen.text.map((block) => block.text).join("\n");
  // A fake wall that asks visitors to run a command is a change of the page itself, which must be reported.
  if (isPasteScam(text)) return null;
  const isRefused =
    seen.status === 401 ||
    seen.status === 403 ||
    seen.status === 429 ||
    seen.status === 503 ||
    seen.status === 405;
  const isShort = text.length < wallText;
  for (const mark of marks) {
    if (mark.refusedOnly ? !isRefused : !isRefused && !isShort) continue;
    if (matches(mark, seen))
      return { kind: "bot-wall", sentence: `${mark.name} showed a challenge instead of the page.` };
  }
  if (isShort && (human.test(text) || human.test(seen.title))) {
    return { kind: "captcha", sentence: "The site asks its visitors to prove that they are human." };
  }
  if (isShort && isRefused && captcha.test(seen.html.slice(0, maxWallHtml)))
    return { kind: "captcha", sentence: "The site shows a captcha instead of the page." };
  if (before && isLogin(seen, text, before))
    return { kind: "login", sentence: "The site shows a login where the page was." };
  return null;
}

function matches(mark: Mark, seen: Seen): boolean {
  if (mark.header) {
    const [name, value] = mark.header;
    if (!seen.headers.some(([each, text]) => each === name && value.test(text))) return false;
  }
  if (mark.title && !mark.title.test(seen.title.trim())) return false;
  const html = mark.html ? seen.html.slice(0, maxWallHtml) : "";
  return (mark.html ?? []).every((pattern) => pattern.test(html));
}

function isLogin(seen: Seen, text: string, before: Before): boolean {
  if (before.hasPassword || !before.hasPasswordNow || seen.forms.some((form) => leaksPassword(form, seen)))
    return false;
  const url = new URL(seen.finalUrl);
  const lastUrl = new URL(before.finalUrl);
  const hasMoved = url.origin + url.pathname !== lastUrl.origin + lastUrl.pathname;
  if (hasMoved && signIn.test(url.hostname + url.pathname)) return true;
  return text.length < wallText && signInTitle.test(seen.title);
}

/** Whether a form sends a password to another site, which a site's own login does not do. */
function leaksPassword({ action, inputs }: Seen["forms"][number], { finalUrl }: Seen): boolean {
  if (!inputs.some((input) => input.type === "password")) return false;
  return siteOf(action) !== siteOf(finalUrl);
}

function siteOf(url: string): string {
  const host = URL.parse(url)?.hostname ?? "";
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
