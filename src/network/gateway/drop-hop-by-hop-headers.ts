const hopByHop = new Set([
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "proxy-connection",
  "proxy-authorization",
  "proxy-authenticate",
]);

/** Removes the headers that concern one connection only; for requests, also replaces Host by the URL's host. */
export function dropHopByHopHeaders(raw: string[], host?: string): string[] {
  const dropped = new Set(hopByHop);
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() !== "connection") continue;
    for (const name of (raw[at + 1] ?? "").split(",")) dropped.add(name.trim().toLowerCase());
  }
  if (host !== undefined) dropped.add("host");
  // Content-Length delimits the body, so it stays even if Connection names it.
  dropped.delete("content-length");
  const kept = host === undefined ? [] : ["Host", host];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? "";
    if (!dropped.has(name.toLowerCase())) kept.push(name, raw[at + 1] ?? "");
  }
  return kept;
}
