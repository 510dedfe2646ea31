import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Server, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { dial } from "../dialing/dial.ts";
import { dialThroughProxy } from "../dialing/dial-through-proxy.ts";
import { openVia, type Via } from "../dialing/open-via.ts";
import { FailureError, type FailureKind, refusalKind } from "../failure.ts";
import { createLookupCache, type Guard, type Log, type Target } from "../guard.ts";
import type { PageProxy, ProxyProblem } from "../proxy.ts";
import { dropHopByHopHeaders } from "./drop-hop-by-hop-headers.ts";
import { createForwarder } from "./forward.ts";

export type TunnelOptions = {
  maxBytes: number;
  /** Plain requests and CONNECT requests; what happens inside a CONNECT can't be counted here. */
  maxRequests: number;
  deadlineMs: number;
  /** Used instead of a port of its own; it stays open for the next tunnel when this one closes. */
  server?: Server | undefined;
  /** The proxy that all requests go through. */
  proxy?: PageProxy | undefined;
};

type BlockReason = "guard" | "dns" | "requests" | "bytes" | "time";

/** One capture's way to the network, with its own limits and its own record. */
export type Tunnel = {
  port: number;
  /** Refused requests; a name without an address and a name with a private address are both "dns" (E11). */
  readonly blocked: { url: string; reason: BlockReason }[];
  /** Requests that were allowed but failed. */
  readonly failed: { url: string; kind: FailureKind; proxy?: ProxyProblem }[];
  /** Every requested host, allowed or not. */
  readonly hosts: Set<string>;
  /** In both directions. */
  readonly bytes: number;
  readonly requests: number;
  /** How long the proxy took for the first connection; null if there was none. */
  readonly proxyMs: number | null;
  close(): Promise<void>;
};

const connectMs = 10_000;
const maxRequestHeaderBytes = 64 * 1024;
const maxRecorded = 1_000;

type TunnelDeps = { guard: Guard; logger?: Log; onClose: () => void };

/** Opens a proxy that passes each request on after the guard has allowed it, within the limits of one capture. */
// Long because everything in it shares the counters of one tunnel, and who reviews the guard should find every way
// through it in one place.
export async function openTunnel(
  { guard, logger, onClose }: TunnelDeps,
  options: TunnelOptions,
): Promise<Tunnel> {
  const blocked: Tunnel["blocked"] = [];
  const failed: Tunnel["failed"] = [];
  const hosts = new Set<string>();
  const answers = createLookupCache();
  const sockets = new Set<Duplex>();
  let bytes = 0;
  let requests = 0;
  let isOpen = true;
  let exhausted: "requests" | "bytes" | "time" | null = null;
  let proxyMs: number | null = null;
  const { proxy } = options;
  let via: Promise<Via> | null = null;

  function count(size: number) {
    bytes += size;
    if (bytes > options.maxBytes) exhaust("bytes");
  }

  /** Too many requests only block new ones; too many bytes or too much time end everything. */
  function exhaust(reason: "requests" | "bytes" | "time") {
    if (!exhausted) logger?.info({ reason, bytes, requests }, "a capture reached a limit of its tunnel");
    exhausted ??= reason;
    if (reason !== "requests") hangUp();
  }

  function hangUp() {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  }

  function track<S extends Duplex>(socket: S): S {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // A broken socket closes by itself; its users have listeners of their own.
    socket.on("error", () => {});
    return socket;
  }

  /** Returns the checked target, or the HTTP status to answer with. */
  async function admit(url: string): Promise<Target | 403 | 502> {
    requests += 1;
    const host = URL.parse(url)?.hostname;
    if (host && hosts.size < maxRecorded) hosts.add(host);
    if (requests > options.maxRequests) exhaust("requests");
    if (exhausted) return block(url, exhausted);
    const judgement = await guard.judge(url, "browser", answers, proxy);
    if (exhausted) return block(url, exhausted);
    if (judgement.ok) return judgement.target;
    return block(url, refusalKind(judgement) === "dns" ? "dns" : "guard");
  }

  function block(url: string, reason: BlockReason): 403 | 502 {
    if (blocked.length < maxRecorded) blocked.push({ url: url.slice(0, 2048), reason });
    return reason === "dns" ? 502 : 403;
  }

  function fail(url: string, error: unknown) {
    const failure = error instanceof FailureError ? error.failure : { kind: "protocol" as const };
    if (isOpen && failed.length < maxRecorded) failed.push({ url: url.slice(0, 2048), ...failure });
  }

  async function connect(target: Target): Promise<Socket> {
    if (!proxy) return (await dial(target, connectMs)).socket;
    via ??= openVia(guard, proxy);
    const { socket, ms } = await dialThroughProxy(await via, target, connectMs);
    proxyMs ??= ms;
    return socket;
  }

  async function reach(target: Target): Promise<Socket> {
    const socket = await connect(target);
    track(socket);
    if (!isOpen) socket.destroy();
    return socket;
  }

  const forward = createForwarder({ reach, count, fail });

  async function onRequest(request: IncomingMessage, response: ServerResponse) {
    const url = request.url ?? "";
    if (!/^[a-z][a-z0-9+.-]*:/i.test(url)) return answer(response, 400);
    const target = await admit(url);
    if (typeof target === "number") return answer(response, target);
    if (response.destroyed) return;
    forward.request(target, request, response);
  }

  async function onTunnel(request: IncomingMessage, client: Duplex, head: Buffer, isConnect: boolean) {
    track(client);
    const authority = request.url ?? "";
    const url = isConnect ? `https://${authority}/` : authority;
    if (isConnect && !/^[^/?#@\\\s]+:\d+$/.test(authority)) return client.end(statusLine(400));
    const target = await admit(url);
    if (typeof target === "number") return client.end(statusLine(target));
    try {
      const upstream = await reach(target);
      if (client.destroyed) return upstream.destroy();
      if (isConnect) client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      else upstream.write(upgradeHead(target, request));
      if (head.length > 0) upstream.write(head);
      pipeBothWays(client, upstream);
    } catch (error) {
      fail(url, error);
      client.end(statusLine(502));
    }
  }

  function pipeBothWays(client: Duplex, upstream: Socket) {
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on("data", (chunk: Buffer) => count(chunk.length));
      from.pipe(to);
      // Data that has already arrived is forwarded before the other side is closed too.
      from.once("close", () => {
        if (from.readableEnded && !to.writableFinished) to.once("finish", () => to.destroy());
        else to.destroy();
      });
    }
  }

  const server = createServer({
    maxHeaderSize: maxRequestHeaderBytes,
    keepAliveTimeout: options.deadlineMs,
    requestTimeout: 0,
    shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === "websocket",
  });
  server.on("connection", track);
  server.on("request", (request, response) => void onRequest(request, response));
  server.on("connect", (request, client, head) => void onTunnel(request, client, head, true));
  server.on("upgrade", (request, client, head) => void onTunnel(request, client, head, false));
  server.on("clientError", (_error, client) => client.destroy());

  const listener = options.server ?? server;
  const acceptSocket = (socket: Socket) => server.emit("connection", socket);
  if (options.server) listener.on("connection", acceptSocket);
  else await once(server.listen(0, "127.0.0.1"), "listening");
  const timer = setTimeout(() => exhaust("time"), options.deadlineMs);

  return {
    port: (listener.address() as AddressInfo).port,
    blocked,
    failed,
    hosts,
    get bytes() {
      return bytes;
    },
    get requests() {
      return requests;
    },
    get proxyMs() {
      return proxyMs;
    },
    async close() {
      clearTimeout(timer);
      exhausted ??= "time";
      hangUp();
      forward.close();
      onClose();
      listener.off("connection", acceptSocket);
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, status: number) {
  response.writeHead(status, { "content-length": 0 }).end();
}

const reasons: Record<number, string> = { 400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway" };

function statusLine(status: number): string {
  return `HTTP/1.1 ${status} ${reasons[status]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
}

function upgradeHead(target: Target, request: IncomingMessage): string {
  const headers = dropHopByHopHeaders(request.rawHeaders, target.url.host);
  headers.push("Connection", "Upgrade", "Upgrade", "websocket");
  let head = `${request.method} ${target.url.pathname}${target.url.search} HTTP/1.1\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${head}\r\n`;
}
