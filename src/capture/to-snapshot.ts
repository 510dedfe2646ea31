import type { Snapshot } from "#contract/capture.ts";
import type { Tunnel } from "#network/egress-gateway.ts";
import type { FetchResponse } from "#network/guarded-fetch.ts";
import type { Protocol } from "./browser/devtools-protocol/protocol.ts";
import type { Page } from "./browser/page-visit/visit-request.ts";
import { sha256 } from "./plain-http/http-evidence.ts";

// Headers of the connection between the gateway and us, not of the site's answer.
const hopHeaders = new Set(["connection", "keep-alive", "proxy-connection", "transfer-encoding"]);

/** A browser's capture of a page as plain data. */
export async function toPageSnapshot(page: Page, tunnel: Tunnel, url: string): Promise<Snapshot> {
  const { facts, document, log } = page;
  const response = document.response;
  if (response === null) throw new Error("A page without a response has no snapshot");
  const headers = listHeaders(document.rawHeaders ?? response.headers);
  const finalUrl = response.url;
  return {
    url,
    finalUrl,
    redirects: log.redirects,
    status: response.status,
    headers,
    protocol: response.protocol ?? "http/1.1",
    tls: tlsOf(response.securityDetails),
    timing: { ...phases(response.timing), ...page.timing },
    contentType: headers.find(([name]) => name === "content-type")?.[1] ?? response.mimeType,
    kind: "html",
    body: page.body,
    html: page.html,
    text: facts.blocks,
    title: facts.title,
    links: facts.links,
    forms: facts.forms,
    scripts: await scriptInventory(page),
    thirdPartyHosts: thirdParties([...log.hosts, ...tunnel.hosts], finalUrl),
    cookies: page.cookies
      .map(({ name, domain, secure, httpOnly, sameSite }) => ({
        name,
        domain,
        secure,
        httpOnly,
        sameSite: sameSite ?? "",
      }))
      .sort((a, b) => compare(`${a.domain} ${a.name}`, `${b.domain} ${b.name}`)),
    consoleErrors: page.consoleErrors,
    picture: page.picture,
    images: page.images,
    truncated: page.truncated,
    ...(page.rendered ? { rendered: page.rendered } : {}),
    ...(page.consent ? { consent: page.consent } : {}),
    ...(page.layout ? { layout: page.layout } : {}),
    blocked: tunnel.blocked.slice(),
    via: "browser",
  };
}

/** A capture by plain HTTP as plain data; the caller provides text and picture. */
export async function toFileSnapshot(
  response: FetchResponse,
  url: string,
  seen: Pick<Snapshot, "kind" | "html" | "text" | "title" | "picture" | "truncated" | "contentType">,
): Promise<Snapshot> {
  return {
    url,
    finalUrl: response.url,
    redirects: response.redirects,
    status: response.status,
    headers: response.headers.filter(([name]) => !hopHeaders.has(name)),
    protocol: response.protocol,
    tls: response.tls,
    timing: response.timing,
    body: response.body,
    links: [],
    forms: [],
    scripts: seen.kind === "javascript" ? [{ src: response.url, sha256: await sha256(response.body) }] : [],
    thirdPartyHosts: [],
    cookies: [],
    consoleErrors: [],
    blocked: [],
    via: "http",
    ...seen,
  };
}

function listHeaders(headers: Record<string, string>): [string, string][] {
  return Object.entries(headers).flatMap(([name, values]) => {
    const lower = name.toLowerCase();
    if (hopHeaders.has(lower)) return [];
    return values.split("\n").map((value): [string, string] => [lower, value]);
  });
}

function tlsOf(details: Protocol.Network.SecurityDetails | undefined): Snapshot["tls"] {
  if (!details) return null;
  return { issuer: details.issuer, expiresAt: new Date(details.validTo * 1_000).toISOString() };
}

type Timing = Protocol.Network.ResourceTiming;

function phases(timing: Partial<Timing> = {}): Snapshot["timing"] {
  const span = (from: keyof Timing, to: keyof Timing) => {
    const [start = -1, end = -1] = [timing[from], timing[to]];
    return start >= 0 && end >= start ? end - start : undefined;
  };
  const all = {
    connect: span("connectStart", "connectEnd"),
    tls: span("sslStart", "sslEnd"),
    firstByte: span("sendEnd", "receiveHeadersEnd"),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function scriptInventory({ facts, scriptBodies }: Page): Promise<Snapshot["scripts"]> {
  const sources = new Set([...facts.scriptSources, ...scriptBodies.keys()]);
  const loaded = [...sources].sort(compare).map(async (src) => {
    const body = scriptBodies.get(src);
    return { src, sha256: body ? await sha256(body) : "" };
  });
  return Promise.all(loaded);
}

function thirdParties(hosts: string[], finalUrl: string): string[] {
  const ownHost = new URL(finalUrl).hostname;
  const names = hosts.map((host) => host.replace(/:\d+$/, ""));
  const isForeign = (name: string) =>
    name !== ownHost && !name.endsWith(`.${ownHost}`) && !ownHost.endsWith(`.${name}`);
  return [...new Set(names.filter(isForeign))].sort(compare);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
