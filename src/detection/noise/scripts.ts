import { onceForText } from "../once-for.ts";

/** What a script does, without what it carries: literals, comments, numbers and white space are taken out. */
export const scriptShape = onceForText((code) =>
  withoutLiterals(code)
    .replace(/\b\w*\d\w*\b/g, "0")
    .replace(/\s+/g, "")
    .replace(/(?:[S0],){2,}/g, "")
    .replace(/(?<![\w$])[\w$]+:(?:[S0]|true|false|null|!0),?/g, "")
    .replace(/(?:\{\}|\[\]|\[[S0]\]),?(?=[\]}[{])/g, ""),
);

/** Strings become S, comments go. One pass: an expression for this is quadratic on what is never closed. */
function withoutLiterals(code: string): string {
  let out = "";
  let from = 0;
  let at = 0;
  let blocksClose = true;
  while (at < code.length) {
    const char = code[at];
    let end = -1;
    let stand = "";
    if (char === '"' || char === "'" || char === "`") {
      end = endOfString(code, at, char);
      stand = "S";
    } else if (char === "/" && code[at + 1] === "*" && blocksClose) {
      end = code.indexOf("*/", at + 2) + 2;
      if (end === 1) blocksClose = false;
    } else if (char === "/" && code[at + 1] === "/" && !/[:\\"']/.test(code[at - 1] ?? "")) {
      end = code.indexOf("\n", at);
      if (end < 0) end = code.length;
    }
    if (end > at) {
      out += code.slice(from, at) + stand;
      at = end;
      from = end;
    } else at++;
  }
  return out + code.slice(from);
}

/** After the closing quote; a plain string that is not closed on its line is only a quote. */
function endOfString(code: string, start: number, quote: string): number {
  for (let at = start + 1; at < code.length; at++) {
    const char = code[at];
    if (char === "\\") at++;
    else if (char === quote) return at + 1;
    else if (char === "\n" && quote !== "`") return start + 1;
  }
  return code.length;
}

/** Addresses with a host that appear in a script's text, escaped slashes included, without their scheme. */
export function addressesIn(code: string): Set<string> {
  const addresses = new Set<string>();
  for (const [whole, host = "", path = ""] of code.matchAll(address)) {
    if (namespace.test(whole)) continue;
    addresses.add(`//${host.toLowerCase()}${path.replaceAll("\\", "")}`);
  }
  return addresses;
}

// Behind a scheme or an opening quote; two slashes alone begin a comment: //window.open.
const address =
  /(?<=[a-z]:|["'`(=])(?:\\?\/){2}((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})(?![\w.-])((?:\\?\/[\w@.~-]*){0,3})/gi;
// Names of vocabularies that are written like addresses and that nobody asks for.
const namespace =
  /^(?:\\?\/){2}(?:(?:www\.)?w3\.org(?:\\?\/)(?:\d{4}|XML|TR|ns)\b|(?:www\.)?(?:schema\.org|ogp\.me|purl\.org|xmlns\.com)(?:\W|$))/i;

/** A script that only hands over data: `x = {...}`, `dataLayer.push({...})`, JSON. */
export function isDataOnly(shape: string): boolean {
  if (/function|=>|eval|^import|;import|\bnew\b|document\.|location|\.src|addEventListener/.test(shape))
    return false;
  return (
    /^(?:(?:var|let|const)?[\w$.[\]|=(){},:;S0!]*)$/.test(shape) &&
    !/[\w$]\((?![{[0)])/.test(shape.replace(/\.push\(|JSON\.parse\(/g, ""))
  );
}

const LISTENS = "listens to forms or keys";
const risky: [string, RegExp][] = [
  // How bundlers ask for the global object: nothing but these words is run.
  [
    "runs text as code",
    /\beval\s*\(|new\s+Function\s*\((?!\s*(["'`])return this\1\s*\))|setTimeout\s*\(\s*["'`]/,
  ],
  ["unpacks hidden text", /\batob\s*\(|fromCharCode|unescape\s*\(|\\x[0-9a-f]{2}\\x[0-9a-f]{2}/i],
  ["obfuscated", /\b_0x[0-9a-f]{3,}|\[\s*(["'`])\w*\1\s*\+\s*["'`]/i],
  ["writes into the page", /document\.write(ln)?\s*\(/],
  [LISTENS, /(["'`])(submit|keydown|keypress|keyup|input)\1/],
  ["sends data out", /sendBeacon|XMLHttpRequest|\bfetch\s*\(|new\s+Image\b|new\s+WebSocket/],
  [
    "leads elsewhere",
    /(?:window|document|top|self|parent)?\.?location(?:\.href)?\s*=(?!=)|location\.(?:replace|assign)\s*\(/,
  ],
  ["loads a script", /createElement\s*\(\s*["'`]script|\bimport\s*\(|importScripts/i],
  ["changes where a form sends", /\.(?:form)?action\s*=(?!=)|setAttribute\s*\(\s*(["'`])(?:form)?action\1/i],
  ["installs a worker", /serviceWorker\.register\s*\(|new\s+(?:Shared)?Worker\s*\(/],
  ["mines", /coinhive|cryptonight|coinimp|webminer/i],
  ["reads cards or passwords", /card.?number|\bcvv\b|cvc|type=.?password/i],
];

// Every framework listens, and data names cards; harm needs a way out of the page or code that hides what it does.
const needsWayOut = new Set([LISTENS, "reads cards or passwords"]);
const otherWayOut =
  /\.src\s*=(?!=)|\.submit\s*\(|setAttribute\s*\(\s*["'`](?:src|href)|postMessage|\.cookie\s*=(?!=)/;

// What was typed: whole fields, or one key after the other. Whether a certain key was pressed says nothing of it.
const reads =
  /\.(?:value|key|code|data|elements)\b(?!\s*=(?!=))|\b(?:keyCode|which|charCode|FormData)\b|serialize|["'`](?:value|key|code|data|elements)["'`]/;
const certainKey =
  /(?:(?<![\w$])\d{1,3}|(["'`])\w{1,20}\1)\s?[=!]==?\s?[\w$.]{1,60}\.(?:keyCode|which|charCode|key|code)\b|\.(?:keyCode|which|charCode|key|code)\s?[=!]==?\s?(?:\d{1,3}\b|(["'`])\w{1,20}\2)/g;

/** What a security person would dislike in a script, in words. */
export function risksOf(code: string): string[] {
  const found = risky.filter(([, pattern]) => pattern.test(code)).map(([name]) => name);
  const isDeaf = found.includes(LISTENS) && !reads.test(code.replace(certainKey, ""));
  const risks = isDeaf ? found.filter((name) => name !== LISTENS) : found;
  const canHarm = risks.some((risk) => !needsWayOut.has(risk)) || otherWayOut.test(code);
  return canHarm ? risks : [];
}

/** Snippets that tag managers and platforms write into pages at will. */
export function isVendorSnippet(code: string): boolean {
  return /google_tag_manager|gtag\(|dataLayer|GoogleAnalyticsObject|\bfbq\(|_satellite|OneTrust|Optanon|Didomi|NREUM|AmazonUIPageJS|ue_|__cf\$cv|_linkedin|snaptr|\bttq\b|\bpintrk|\bhj\(|_hjSettings|clarity\(|uetq|criteo_q|utag|BOOMR|pbjs|googletag/.test(
    code,
  );
}

const ownPath = /(["'`])\/[\w-][\w./?=&-]*\1/;
// From any of these an address elsewhere could be made, or something worth sending there be had.
const leaves = /["'`](?:[^"'`\s]*:)?\/[/"'`]|["'`](?:https?|wss?):|["'`][\w-]+\.[a-z]{2,6}["'`/]/i;
const kept =
  /\.value\b|new\s+FormData|\bserialize|\.cookie\b|localStorage|sessionStorage|indexedDB|[Pp]assword|["'`](?:value|cookie)["'`]/;

/** Whether a script sends to and loads from its own site by all that it says, and has nothing typed or kept to send. */
export function staysHome(code: string): boolean {
  return ownPath.test(code) && !leaves.test(code) && !kept.test(code);
}
