import { hostOf, registrable } from "../third-party-hosts/hosts.ts";
import { looksRandom } from "./tokens.ts";

const volatileParameter =
  /^(utm_\w+|[gdf]clid|fbclid|msclkid|mc_[ce]id|_ga|_gl|gbraid|wbraid|yclid|igshid|ref_?|referrer|referer|source|src|sid|s?session(_?id)?|\w*token|jsessionid|phpsessid|_?csrf|nonce|xsrf|state|_|t|ts|time(stamp)?|cb|cache(bust(er)?)?|rnd|rand(om)?|r|v|ver|version|rev|build|hash|h|dpl|qid|pf_rd_\w+|pd_rd_\w+|_encoding|sr|crid|sprefix|return(_?(url|to|uri))?|redirect(_?(url|to|uri))?|next|continue|back(_?url)?|from|rid|request_?id|trace_?id|variant|ab|exp(eriment)?|gtm|z|ord|correlator|tok|sig(nature)?|expires?|x-amz-\w+|policy|key-pair-id)$/i;

// On another site these name what a link leads to: a video, a document, a page of search results.
const meaningfulElsewhere = /^(?:v|h|t|r|z|s|rev|version|state|source|from|hash|variant)$/i;

/** Removes from an address what a request or a build puts into it, so that only the page's own part is left. */
export function maskUrl(href: string): string {
  return mask(href, false);
}

/**
 * Masks the target of a link. A request puts ids into addresses of its own site; on another site, an id in the address
 * is what the link leads to.
 */
export function maskTarget(href: string, base: string): string {
  const host = hostOf(href);
  return mask(href, host !== "" && registrable(host) !== registrable(hostOf(base)));
}

function mask(href: string, isElsewhere: boolean): string {
  const mail = decodeCloudflare(href);
  if (mail !== null) return `mailto:${mail}`;
  const [beforeHash, hash] = split(href.trim(), "#");
  const [path, query] = split(beforeHash, "?");
  if (/^(mailto|tel|sms):/i.test(path)) return path.toLowerCase();
  if (/^javascript:/i.test(path)) return "javascript:";
  const stableParameters = query
    .split(/&(?:amp;)?|;/)
    .filter((pair) => {
      const [name, value] = split(pair, "=");
      return (
        name !== "" &&
        ((isElsewhere && meaningfulElsewhere.test(name)) || !volatileParameter.test(name)) &&
        (isElsewhere || (!looksRandom(decoded(value)) && !/^\d{6,}$/.test(value)))
      );
    })
    .sort();
  const host = hostOf(path);
  const local = host === "" ? path : path.slice(path.toLowerCase().indexOf(host) + host.length);
  const masked = local
    .replace(/;(jsessionid|sid)=[^/?#]*/i, "")
    .replace(/\/ref=[^/?#]*/gi, "")
    .split("/")
    .map((segment, at, all) =>
      isElsewhere || (at === all.length - 1 && isDocument(segment)) ? segment : maskSegment(segment),
    )
    .join("/")
    .replace(/\/$/, "");
  const anchor = hash !== "" && !looksRandom(hash) ? `#${hash.replace(generatedNumber, "*")}` : "";
  return (
    (host === "" ? "" : `//${host.replace(/^www\./, "")}`) +
    masked +
    (stableParameters.length > 0 ? `?${stableParameters.join("&")}` : "") +
    anchor
  );
}

// An anchor with such a number in its name is generated, unless the number is a date.
const generatedNumber = /-{0,2}(?!(?:19|20)\d\d[01]\d[0-3]\d(?!\d))(?<!\d)\d{7,}/g;

function maskSegment(segment: string): string {
  return looksRandom(segment) && !/[a-z]{5,}/.test(segment) ? "*" : segment;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const documentName =
  /\.(?:pdf|docx?|odt|rtf|xlsx?|ods|csv|pptx?|odp|zip|gz|7z|rar|epub|exe|msi|dmg|apk|pkg|deb|rpm|iso|xml|json|txt|ics)$/i;

/** Whether the last segment of a path names a document; a generated name is kept, too: it changes with the document. */
function isDocument(segment: string): boolean {
  return uuid.test(segment) || documentName.test(segment);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** The address behind Cloudflare's e-mail obfuscation, whose key differs on each request; null for other links. */
function decodeCloudflare(href: string): string | null {
  const code = /\/cdn-cgi\/l\/email-protection#([0-9a-f]+)/i.exec(href)?.[1];
  return code === undefined ? null : decodeCfEmail(code);
}

export function decodeCfEmail(code: string): string {
  const key = Number.parseInt(code.slice(0, 2), 16);
  let mail = "";
  for (let at = 2; at + 2 <= code.length; at += 2) {
    mail += String.fromCharCode(Number.parseInt(code.slice(at, at + 2), 16) ^ key);
  }
  return mail;
}
