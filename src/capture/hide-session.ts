const mask = "••••••••";
/** Shorter secrets are parts of ordinary words. */
const leastLength = 4;
/** Headers that let whoever reads them into the session. */
const sessionHeaders = new Set(["set-cookie", "set-cookie2", "authorization", "cookie"]);

/** A secret as pages, URLs and scripts may repeat it. */
function spellingsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const inHtml = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const form = new URLSearchParams({ "": secret }).toString().slice(1);
  return [
    secret,
    inHtml,
    inHtml.replaceAll('"', "&quot;"),
    inHtml.replaceAll('"', "&quot;").replaceAll("'", "&#39;"),
    inHtml.replaceAll('"', "&#34;").replaceAll("'", "&#39;"),
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replaceAll("%20", "+"),
    form,
    encodeURI(secret),
  ];
}

/** A copy of captured data in which the secrets that steps typed, and the headers of the session, can't be read. */
export function hideSession<T>(captured: T, secrets: Iterable<string>): T {
  const spellings = [...secrets].filter((secret) => secret.length >= leastLength).flatMap(spellingsOf);
  const texts = [...new Set(spellings)].toSorted((a, b) => b.length - a.length);
  const bytes = texts.map((text) => Buffer.from(text).toString("latin1"));
  const replaceAll = (text: string, all: string[], by: string) =>
    all.reduce((changed, one) => (changed.includes(one) ? changed.replaceAll(one, by) : changed), text);

  function hide(value: unknown, key?: string): unknown {
    if (typeof value === "string") return replaceAll(value, texts, mask);
    if (Array.isArray(value))
      return (key === "headers" ? value.filter(isPublicHeader) : value).map((each) => hide(each));
    if (value instanceof Uint8Array) return key === "body" ? hideBytes(value) : value;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, hide(part, name)]));
  }
  function hideBytes(body: Uint8Array): Uint8Array {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
    const hidden = replaceAll(text, bytes, Buffer.from(mask).toString("latin1"));
    return hidden === text ? body : Buffer.from(hidden, "latin1");
  }
  return hide(captured) as T;
}

const isPublicHeader = (header: unknown) =>
  !(Array.isArray(header) && typeof header[0] === "string" && sessionHeaders.has(header[0].toLowerCase()));
