import { memoizeByText } from "../memoize.ts";

/** The code of a script without its data: literals, comments, numbers and white space are removed. */
export const scriptShape = memoizeByText((code) =>
  withoutLiterals(code)
    .replace(/\b\w*\d\w*\b/g, "0")
    .replace(/\s+/g, "")
    .replace(/(?:[S0],){2,}/g, "")
    .replace(/(?<![\w$])[\w$]+:(?:[S0]|true|false|null|!0),?/g, "")
    .replace(/(?:\{\}|\[\]|\[[S0]\]),?(?=[\]}[{])/g, ""),
);

/** Replaces strings by S and removes comments, in one pass: a regular expression is quadratic on unclosed strings. */
function withoutLiterals(code: string): string {
  let out = "";
  let from = 0;
  let at = 0;
  let blocksClose = true;
  while (at < code.length) {
    const char = code[at];
    let end = -1;
    let replacement = "";
    if (char === '"' || char === "'" || char === "`") {
      end = endOfString(code, at, char);
      replacement = "S";
    } else if (char === "/" && code[at + 1] === "*" && blocksClose) {
      end = code.indexOf("*/", at + 2) + 2;
      if (end === 1) blocksClose = false;
    } else if (char === "/" && code[at + 1] === "/" && !/[:\\"']/.test(code[at - 1] ?? "")) {
      end = code.indexOf("\n", at);
      if (end < 0) end = code.length;
    }
    if (end > at) {
      out += code.slice(from, at) + replacement;
      at = end;
      from = end;
    } else at++;
  }
  return out + code.slice(from);
}

/** The offset after the closing quote; a plain string that is not closed on its line is taken for a mere quote. */
function endOfString(code: string, start: number, quote: string): number {
  for (let at = start + 1; at < code.length; at++) {
    const char = code[at];
    if (char === "\\") at++;
    else if (char === quote) return at + 1;
    else if (char === "\n" && quote !== "`") return start + 1;
  }
  return code.length;
}

/** Addresses with a host in a script's text, also those with escaped slashes, without their scheme. */
export function addressesIn(code: string): Set<string> {
  const addresses = new Set<string>();
  for (const [whole, host = "", path = ""] of code.matchAll(address)) {
    if (namespace.test(whole)) continue;
    addresses.add(`//${host.toLowerCase()}${path.replaceAll("\\", "")}`);
  }
  return addresses;
}

// Only after a scheme or an opening quote; two slashes alone start a comment: //window.open.
const address =
  /(?<=[a-z]:|["'`(=])(?:\\?\/){2}((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})(?![\w.-])((?:\\?\/[\w@.~-]*){0,3})/gi;
// Names of vocabularies that look like addresses but are never requested.
const namespace =
  /^(?:\\?\/){2}(?:(?:www\.)?w3\.org(?:\\?\/)(?:\d{4}|XML|TR|ns)\b|(?:www\.)?(?:schema\.org|ogp\.me|purl\.org|xmlns\.com)(?:\W|$))/i;

/** Whether a script only contains data: `x = {...}`, `dataLayer.push({...})`, JSON. */
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
  // Except `new Function("return this")`, by which bundlers get the global object: nothing else is run.
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

// Every framework listens, and data may name cards; harm also needs a way to send data out or code that hides itself.
const needsWayOut = new Set([LISTENS, "reads cards or passwords"]);
const otherWayOut =
  /\.src\s*=(?!=)|\.submit\s*\(|setAttribute\s*\(\s*["'`](?:src|href)|postMessage|\.cookie\s*=(?!=)/;

// Reading what was typed: whole fields, or key by key. Testing for one certain key doesn't reveal what was typed.
const readsInput =
  /\.(?:value|key|code|data|elements)\b(?!\s*=(?!=))|\b(?:keyCode|which|charCode|FormData)\b|serialize|["'`](?:value|key|code|data|elements)["'`]/;
const certainKey =
  /(?:(?<![\w$])\d{1,3}|(["'`])\w{1,20}\1)\s?[=!]==?\s?[\w$.]{1,60}\.(?:keyCode|which|charCode|key|code)\b|\.(?:keyCode|which|charCode|key|code)\s?[=!]==?\s?(?:\d{1,3}\b|(["'`])\w{1,20}\2)/g;

/** The security risks of a script, in words. */
export function risksOf(code: string): string[] {
  const found = risky.filter(([, pattern]) => pattern.test(code)).map(([name]) => name);
  const ignoresInput = found.includes(LISTENS) && !readsInput.test(code.replace(certainKey, ""));
  const risks = ignoresInput ? found.filter((name) => name !== LISTENS) : found;
  const canHarm = risks.some((risk) => !needsWayOut.has(risk)) || otherWayOut.test(code);
  return canHarm ? risks : [];
}

/** Whether code is a snippet that tag managers and platforms write into pages at any time. */
export function isVendorSnippet(code: string): boolean {
  return /google_tag_manager|gtag\(|dataLayer|GoogleAnalyticsObject|\bfbq\(|_satellite|OneTrust|Optanon|Didomi|NREUM|AmazonUIPageJS|ue_|__cf\$cv|_linkedin|snaptr|\bttq\b|\bpintrk|\bhj\(|_hjSettings|clarity\(|uetq|criteo_q|utag|BOOMR|pbjs|googletag/.test(
    code,
  );
}

const ownPath = /(["'`])\/[\w-][\w./?=&-]*\1/;
// Code that could build an address on another site, and code that could read something worth sending there.
const foreignAddress = /["'`](?:[^"'`\s]*:)?\/[/"'`]|["'`](?:https?|wss?):|["'`][\w-]+\.[a-z]{2,6}["'`/]/i;
const readsUserData =
  /\.value\b|new\s+FormData|\bserialize|\.cookie\b|localStorage|sessionStorage|indexedDB|[Pp]assword|["'`](?:value|cookie)["'`]/;

/** Whether a script, by all its code shows, only uses its own site and reads nothing that was typed or stored. */
export function usesOwnSiteOnly(code: string): boolean {
  return ownPath.test(code) && !foreignAddress.test(code) && !readsUserData.test(code);
}
