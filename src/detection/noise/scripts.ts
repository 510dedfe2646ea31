import { hostOf } from "./hosts.ts";

/** What a script does, without what it carries: literals, comments and white space are taken out. */
export function scriptShape(code: string): string {
  return code
    .replace(literals, (match) => (match.startsWith("/") ? "" : "S"))
    .replace(/\b(?:0x)?[0-9a-f]*\d[0-9a-f]*\b|\b\d[\d.e+-]*/gi, "0")
    .replace(/\s+/g, "")
    .replace(/(?:[S0],)+(?=[S0][\]},)])/g, "")
    .replace(/(?:[\w$]+|S):(?:[S0]|true|false|null|!0),?/g, "")
    .replace(/(\{\}|\[\]|\[[S0]\]),?(?=[\]}[{])/g, "");
}

const literals =
  /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|`(?:[^`\\]|\\[^])*`|\/\*[^]*?\*\/|(?<![:\\"'])\/\/[^\n]*/g;

/** Hosts that appear in a script's text, escaped slashes included. */
export function hostsIn(code: string): Set<string> {
  const hosts = new Set<string>();
  for (const match of code.matchAll(/(?:https?:)?(?:\\?\/){2}((?:[a-z0-9-]+\.)+[a-z]{2,24})(?![\w.-])/gi)) {
    const host = hostOf(`//${match[1]}`);
    if (host) hosts.add(host);
  }
  return hosts;
}

/** A script that only hands over data: `x = {...}`, `dataLayer.push({...})`, JSON. */
export function isDataOnly(shape: string): boolean {
  if (/function|=>|eval|\bnew\b|document\.|location|\.src|addEventListener/.test(shape)) return false;
  return (
    /^(?:(?:var|let|const)?[\w$.[\]|=(){},:;S0!]*)$/.test(shape) &&
    !/[\w$]\((?![{[S0)])/.test(shape.replace(/\.push\(|JSON\.parse\(/g, ""))
  );
}

const risky: [string, RegExp][] = [
  ["runs text as code", /\beval\s*\(|new\s+Function\s*\(|setTimeout\s*\(\s*["'`]/],
  ["unpacks hidden text", /\batob\s*\(|fromCharCode|unescape\s*\(|\\x[0-9a-f]{2}\\x[0-9a-f]{2}/i],
  ["obfuscated", /\b_0x[0-9a-f]{3,}/i],
  ["writes into the page", /document\.write(ln)?\s*\(/],
  ["listens to forms or keys", /(["'`])(submit|keydown|keypress|keyup|input)\1/],
  ["sends data out", /sendBeacon|XMLHttpRequest|\bfetch\s*\(|new\s+Image\b|new\s+WebSocket/],
  [
    "leads elsewhere",
    /(?:window|document|top|self|parent)?\.?location(?:\.href)?\s*=(?!=)|location\.(?:replace|assign)\s*\(/,
  ],
  ["loads a script", /createElement\s*\(\s*["'`]script/i],
  ["mines", /coinhive|cryptonight|coinimp|webminer/i],
  ["reads cards or passwords", /card.?number|\bcvv\b|cvc|type=.?password/i],
];

/** What a security person would dislike in a script, in words. */
export function risksOf(code: string): string[] {
  return risky.filter(([, pattern]) => pattern.test(code)).map(([name]) => name);
}

/** Snippets that tag managers and platforms write into pages at will. */
export function isVendorSnippet(code: string): boolean {
  return /google_tag_manager|gtag\(|dataLayer|GoogleAnalyticsObject|\bfbq\(|_satellite|OneTrust|Optanon|Didomi|NREUM|AmazonUIPageJS|ue_|__cf\$cv|_linkedin|snaptr|\bttq\b|\bpintrk|\bhj\(|_hjSettings|clarity\(|uetq|criteo_q|utag|BOOMR|pbjs|googletag/.test(
    code,
  );
}
