import type { ContentKind, Snapshot } from "../snapshot/snapshot.ts";

export type Random = (below: number) => number;

/** A random generator that gives the same numbers on every machine and in every run. */
export function seeded(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const samples: Record<Exclude<ContentKind, "image" | "pdf" | "other">, string> = {
  html: `<!doctype html><html lang=en><head><title>Shop</title><meta charset=utf-8><link rel=stylesheet href="/a.3f2a9c1b.css?v=12"><script nonce="r4nd0m" src="https://cdn.example/x.js"></script></head><body><header><nav><a href="/">Home</a></nav></header><main><h1>Items</h1><ul><li class="x y">One &amp; two <b>10 €</b></li><li>Three</li></ul><form action="/buy" method=post><input type=hidden name=csrf value="a8f3b2c1d0e9"><input type=password name=p></form><p>Updated 5 minutes ago</p><!-- TODO: remove --><table><tr><td>1<td>2</table></main><footer>© 2026</footer><script>window.__DATA__={"id":"9f8e7d6c","n":1};fetch("/api/v1/x?y="+1)</script></body></html>`,
  json: `{"id":12345678901234567890,"name":"x","items":[{"id":1,"price":10.5,"tags":["a","b"]},{"id":2,"price":null,"tags":[]}],"updated_at":"2026-01-01T10:00:00Z","views":10,"__proto__":{"a":1},"deep":{"a":{"b":{"c":[[[1]]]}}}}`,
  xml: `<?xml version="1.0"?><rss version="2.0"><channel><title>T</title><lastBuildDate>Mon, 05 Jan 2026 10:00:00 GMT</lastBuildDate><item><guid>1</guid><title><![CDATA[A & B]]></title></item><item a="1"><guid>2</guid></item></channel></rss>`,
  javascript: `/* c */(function(e,t){"use strict";const n=e.map(t=>t.id??1),{a:r,...o}=n;try{fetch(\`/api/\${r}\`)}catch(s){console.log(s,/x[/]y/g)}class K extends Object{#p=1;get z(){return this.#p}}return{n,K,o}})(window.l,2);//# sourceMappingURL=a.js.map`,
  text: `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nContact: mailto:security@shop.example\nExpires: 2026-12-31T23:00:00.000Z\n# comment\nUser-agent: *\nDisallow: /admin\nGenerated: 2026-01-02 03:04:05 UTC\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n`,
};
const kinds: ContentKind[] = [
  "html",
  "html",
  "html",
  "json",
  "xml",
  "javascript",
  "text",
  "pdf",
  "other",
  "image",
];
const snippets = [
  "<",
  ">",
  "</",
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
  '"',
  "'",
  "`",
  "\\",
  "{",
  "}",
  "[",
  "]",
  "(",
  ")",
  "/*",
  "*/",
  "//",
  "\n",
  "\r\n",
  "\t",
  "\0",
  "\ufeff",
  "\ud800",
  "😀",
  "é",
  "&amp;",
  "&#x0;",
  "&#99999999;",
  "&",
  "=",
  ":",
  ";",
  ",",
  ".",
  "<script>",
  "</script>",
  "<style>",
  "<svg>",
  "<math>",
  "<table>",
  "<tr>",
  "<p>",
  "<div ",
  "<a href=",
  "<form ",
  "<select>",
  "<template>",
  "<noscript>",
  "<plaintext>",
  "<textarea>",
  "<title>",
  "<iframe src=//e.example>",
  "<meta http-equiv=refresh content=0>",
  "javascript:",
  "data:text/html,",
  "http://",
  "https://[::1]:99999/",
  "//",
  "@",
  "a@b.c",
  "eyJhbGciOiJ9.eyJhIjoxfQ.abcdefghijkl",
  "AKIAIOSFODNN7EXAMPLE",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "true",
  "1e999",
  "-0",
  "0x",
  "async",
  "await ",
  "=>",
  "${",
  "in 5 minutes",
  "3 hours ago",
  "10:15",
  "2026-02-30",
  "1,234 views",
  "Hacked by",
  "\u202e",
  "\u0301",
  "display:none",
  "nonce=",
];

/** A text of the given kind with a few mutations; sometimes entirely random, sometimes very long. */
export function makeText(random: Random, kind: ContentKind): string {
  const sample = samples[kind as keyof typeof samples] ?? samples.text;
  if (random(20) === 0) return Array.from({ length: random(300) }, () => snippet(random)).join("");
  if (random(400) === 0) return repeated(random, sample);
  return mutate(random, sample, random(6));
}

function snippet(random: Random): string {
  return random(3) === 0
    ? String.fromCharCode(random(random(4) === 0 ? 65536 : 128))
    : snippets[random(snippets.length)]!;
}

/** One piece repeated many times, on which a careless parser or pattern takes quadratic time. */
function repeated(random: Random, sample: string): string {
  const start = random(sample.length);
  const piece =
    random(2) === 0 ? snippet(random) + snippet(random) : sample.slice(start, start + 1 + random(40));
  return piece.repeat(Math.ceil((20_000 + random(80_000)) / piece.length)).slice(0, 100_000);
}

/** The text with some pieces removed, doubled or inserted. */
export function mutate(random: Random, text: string, times: number): string {
  let mutated = text;
  for (let i = 0; i < times; i++) {
    const at = random(mutated.length + 1);
    const end = Math.min(mutated.length, at + random(random(3) === 0 ? 200 : 12));
    const piece = mutated.slice(at, end);
    const put = [snippet(random), "", piece + piece, snippet(random) + piece, String(random(1e6))][
      random(5)
    ]!;
    mutated = mutated.slice(0, at) + put + mutated.slice(end);
  }
  return mutated;
}

/** A snapshot with every part that a comparison reads, some of them malformed. */
export function makeSnapshot(random: Random, kind: ContentKind, html: string): Snapshot {
  const url = [
    "https://shop.example/list?x=1",
    "",
    "not a url",
    "http://[",
    "https://shop.example/security.txt",
  ][random(5)]!;
  const word = (): string => mutate(random, "sid", random(3));
  const policy = mutate(
    random,
    "default-src 'self'; script-src 'self' https://cdn.example; max-age=10",
    random(3),
  );
  return {
    url,
    finalUrl: random(4) === 0 ? word() : url,
    redirects: [],
    status: [200, 200, 200, 404, 503, 0][random(6)]!,
    headers: [
      ["content-security-policy", policy],
      ["strict-transport-security", policy],
      [word(), policy],
    ].slice(random(4)) as Snapshot["headers"],
    protocol: "h2",
    tls: null,
    timing: {},
    contentType: "",
    kind,
    body: Uint8Array.from({ length: random(64) }, () => random(256)),
    html: kind === "image" || kind === "other" ? "" : html,
    text: [],
    title: word(),
    links: [],
    forms: [],
    scripts: [],
    thirdPartyHosts: [],
    cookies: [
      { name: word(), domain: word(), secure: random(2) === 0, httpOnly: random(2) === 0, sameSite: word() },
    ],
    consoleErrors: [],
    picture: null,
    truncated: false,
    blocked: [],
    via: "browser",
  };
}

export function pickKind(random: Random): ContentKind {
  return kinds[random(kinds.length)]!;
}
