import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parseEgressAllow } from "./address-rules/egress-allow.ts";
import { dial } from "./dialing/dial.ts";
import { startGateway } from "./egress-gateway.ts";
import { createGuard, type GuardOptions } from "./guard.ts";
import { createGuardedFetch, type FetchResult } from "./guarded-fetch.ts";
import type { PageProxy } from "./proxy.ts";
import { askThrough } from "./testing/ask-through.ts";
import { serve } from "./testing/local-site.ts";
import { serveProxy, startProxy, type TestProxy } from "./testing/start-proxy.ts";

const fixture = (name: string) => readFileSync(new URL(`testing/fixtures/${name}`, import.meta.url), "utf8");
const tls = { key: fixture("site.key"), cert: fixture("site.pem") };
const names = { "far.example": "127.0.0.1", "db.internal": "127.0.0.1" };
const credentials = { username: "anna", password: "s:3 ü" };

/** Makes the tests' certificate authority trusted until the test ends. */
function trustTestAuthority(): void {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, fixture("ca.pem")]);
  onTestFinished(() => setDefaultCACertificates(before));
}

const resolve = async (name: string) => {
  const known: Record<string, string[]> = { "site.test": ["127.0.0.1"], "inside.example": ["10.0.0.7"] };
  return known[name] ?? [];
};

function clientFor(options: Partial<GuardOptions> & { ports?: number[] } = {}) {
  const { ports } = options;
  const allowed = ports ? ports.map((port) => `127.0.0.1:${port}`).join() : "127.0.0.0/8";
  const guard = createGuard({ allow: parseEgressAllow(allowed), resolve, ...options });
  const client = createGuardedFetch(guard);
  onTestFinished(() => client.close());
  const get = (url: string, proxy: PageProxy) => client.fetch({ url, purpose: "page", proxy });
  return { get, guard };
}

const outcome = (result: FetchResult) =>
  result.ok ? Buffer.from(result.response.body).toString() : result.failure;

// One process each: starting one costs more than all these tests.
const proxies = {} as Record<"http" | "https" | "socks5", TestProxy>;
beforeAll(async () => {
  const kinds = ["http", "https", "socks5"] as const;
  const started = await Promise.all(
    kinds.map((protocol) =>
      startProxy({ protocol, credentials, names, ...(protocol === "https" && { tls }) }),
    ),
  );
  for (const [at, kind] of kinds.entries()) proxies[kind] = started[at] as TestProxy;
});
afterAll(() => Promise.all(Object.values(proxies).map((proxy) => proxy.stop())));

describe.each(["http", "https", "socks5"] as const)("E1 a proxy that speaks %s", (protocol) => {
  const proxyOf = () => ({ ...proxies[protocol].proxy, ...(protocol === "https" && { host: "site.test" }) });

  test("passes on plain and encrypted requests, asked for the address that we checked", async () => {
    trustTestAuthority();
    const { get } = clientFor();
    const seen: (string | undefined)[] = [];
    const plain = await serve((request, response) => {
      seen.push(request.headers.host, request.headers["proxy-authorization"]);
      response.end("plain");
    });
    const secure = await serve((_request, response) => response.end("secure"), tls);
    expect(outcome(await get(plain.url("/", "site.test"), proxyOf()))).toBe("plain");
    expect(outcome(await get(secure.url("/", "site.test"), proxyOf()))).toBe("secure");
    expect(proxies[protocol].asked.slice(-2)).toEqual([
      `127.0.0.1:${plain.port}`,
      `127.0.0.1:${secure.port}`,
    ]);
    expect(seen).toEqual([`site.test:${plain.port}`, undefined]);
  });

  test("gets no request for a target that the guard refuses", async () => {
    trustTestAuthority();
    const { get } = clientFor();
    const before = proxies[protocol].asked.length;
    expect(outcome(await get("http://inside.example/", proxyOf()))).toEqual({ kind: "dns" });
    expect(outcome(await get("http://169.254.169.254/", proxyOf()))).toEqual({ kind: "guard" });
    expect(proxies[protocol].asked.length).toBe(before);
  });

  test("that refuses the password is a problem of the proxy", async () => {
    trustTestAuthority();
    const wrong = { ...proxyOf(), credentials: { username: "anna", password: "wrong" } };
    const { get } = clientFor();
    expect(outcome(await get("http://127.0.0.1:9/", wrong))).toEqual({ kind: "proxy", proxy: "credentials" });
    const none = { ...proxyOf(), credentials: undefined };
    expect(outcome(await get("http://127.0.0.1:9/", none))).toEqual({ kind: "proxy", proxy: "credentials" });
  });

  test("that reaches no site there is a problem of the site", async () => {
    trustTestAuthority();
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    closed.close();
    expect(outcome(await clientFor().get(`http://127.0.0.1:${port}/`, proxyOf()))).toEqual({
      kind: "refused",
    });
  });
});

describe("E5 the proxy's own address is judged like any other", () => {
  test.for<[string, Partial<PageProxy>, string]>([
    ["a private address", { host: "10.0.0.1" }, "guard"],
    ["our own machine", { host: "127.0.0.1" }, "guard"],
    ["cloud metadata", { host: "169.254.169.254" }, "guard"],
    ["a name that leads to a private address", { host: "inside.example" }, "dns"],
    ["a name without an address", { host: "nobody.example" }, "dns"],
    ["a name inside our network", { host: "proxy.internal" }, "guard"],
  ])("%s is never dialed", async ([, part, proxy]) => {
    const { get } = clientFor({ ports: [] });
    const given: PageProxy = {
      protocol: "socks5",
      host: "a.example",
      port: 1080,
      looksUpNames: false,
      ...part,
    };
    expect(outcome(await get("http://192.0.66.2/", given))).toEqual({ kind: "proxy", proxy });
  });
});

/** A server that answers each piece of what it gets with the next of these, and then closes. */
async function serveAnswers(answers: (string | Buffer)[]): Promise<number> {
  const server = createServer((socket) => {
    const left = [...answers];
    socket.on("error", () => {});
    socket.on("data", () => {
      const next = left.shift();
      if (left.length > 0) socket.write(next ?? "");
      else socket.end(next ?? "");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const denied = { kind: "proxy", proxy: "denied" };
const unanswered = { kind: "proxy", proxy: "unanswered" };
const noProxy = { kind: "proxy", proxy: "protocol" };
const bySocks = (reply: number) => [Buffer.of(5, 0), Buffer.of(5, reply, 0, 1, 0, 0, 0, 0, 0, 0)];

test.for<[string, PageProxy["protocol"], (string | Buffer)[], object]>([
  ["403", "http", ["HTTP/1.1 403 No\r\n\r\n"], denied],
  ["that the site is away", "http", ["HTTP/1.1 502 No\r\n\r\n"], { kind: "refused" }],
  ["that the site is slow", "http", ["HTTP/1.1 504 No\r\n\r\n"], { kind: "timeout" }],
  ["with something else", "http", ["SSH-2.0-OpenSSH_9.2\r\n\r\n"], noProxy],
  ["with headers without an end", "http", ["x".repeat(100_000)], noProxy],
  ["nothing", "http", [""], unanswered],
  ["that a rule forbids it", "socks5", bySocks(2), denied],
  ["that the host is away", "socks5", bySocks(4), { kind: "refused" }],
  ["with an unknown reply", "socks5", bySocks(99), noProxy],
  ["with another version", "socks5", [Buffer.of(4, 0)], noProxy],
  ["half a reply", "socks5", [Buffer.of(5, 0), Buffer.of(5, 0, 0)], unanswered],
])("a proxy that answers %s", async ([, protocol, answers, failure]) => {
  const port = await serveAnswers(answers);
  const proxy: PageProxy = { protocol, host: "127.0.0.1", port, looksUpNames: false };
  expect(outcome(await clientFor().get("http://127.0.0.1:8080/", proxy))).toEqual(failure);
});

describe("names that the proxy looks up itself", () => {
  const url = (port: number) => `http://far.example:${port}/`;

  test.for(["http", "socks5"] as const)("%s: only where the operator allows it", async (protocol) => {
    const site = await serve((_request, response) => response.end("far"));
    const { proxy, asked } = proxies[protocol];
    const looking = { ...proxy, looksUpNames: true };
    const before = asked.length;
    expect(outcome(await clientFor().get(url(site.port), looking))).toEqual({ kind: "dns" });
    expect(asked.length).toBe(before);
    const allowing = clientFor({ proxiesLookUpNames: true });
    expect(outcome(await allowing.get(url(site.port), looking))).toBe("far");
    expect(asked.slice(before)).toEqual([`far.example:${site.port}`]);
  });

  test("E4 a name inside our network and an address are judged all the same", async () => {
    const { proxy, port, asked } = proxies.socks5;
    const before = asked.length;
    const { get } = clientFor({ proxiesLookUpNames: true, ports: [port] });
    const looking = { ...proxy, looksUpNames: true };
    expect(outcome(await get("http://db.internal/", looking))).toEqual({ kind: "guard" });
    expect(outcome(await get("http://10.0.0.1/", looking))).toEqual({ kind: "guard" });
    expect(asked.length).toBe(before);
  });

  test("E6 a target without a checked address is never dialed directly", async () => {
    const { guard } = clientFor({ proxiesLookUpNames: true });
    const { proxy } = proxies.http;
    const judged = await guard.judge("http://site.test/", "page", undefined, {
      ...proxy,
      looksUpNames: true,
    });
    expect(judged).toMatchObject({ ok: true, target: { addresses: [] } });
    if (!judged.ok) return;
    await expect(dial(judged.target, 1_000)).rejects.toMatchObject({ failure: { kind: "guard" } });
  });
});

test("the browser's tunnel goes through the proxy, and says what is wrong with it", async () => {
  const { guard } = clientFor();
  const gateway = startGateway({ guard });
  onTestFinished(() => gateway.close());
  const site = await serve((_request, response) => response.end("here"));
  const proxy = await serveProxy({ protocol: "socks5" });
  const open = () =>
    gateway.openTunnel({ maxBytes: 1e6, maxRequests: 10, deadlineMs: 20_000, proxy: proxy.proxy });
  const tunnel = await open();
  expect(await askThrough(tunnel.port, site.url("/", "site.test"))).toEqual([200, "here"]);
  expect(proxy.asked).toEqual([`127.0.0.1:${site.port}`]);
  expect(tunnel.proxyMs).toBeGreaterThan(0);
  await proxy.stop();
  const second = await open();
  expect(await askThrough(second.port, site.url("/", "site.test"))).toEqual([502, ""]);
  expect(second.failed).toMatchObject([{ kind: "proxy", proxy: "refused" }]);
  expect(second.proxyMs).toBeNull();
});
