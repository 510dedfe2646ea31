import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Server, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { dial } from "../dialing/dial.ts";
import { FailureError, type FailureKind, refusalKind } from "../failure.ts";
import { type Guard, type Log, rememberAnswers, type Target } from "../guard.ts";
import { endToEnd } from "./end-to-end.ts";
import { createForwarder } from "./forward.ts";

export type LaneOptions = {
  maxBytes: number;
  /** Plain requests and tunnels; what happens inside a tunnel cannot be counted here. */
  maxRequests: number;
  deadlineMs: number;
  /** Taken over instead of a port of its own; it stays open for the next lane when this one closes. */
  server?: Server | undefined;
};

type BlockReason = "guard" | "dns" | "requests" | "bytes" | "time";

/** One capture's way out, with its own limits and its own record. */
export type Lane = {
  port: number;
  /** What was refused; a name that leads nowhere and one that leads inside are both "dns" (E11). */
  readonly blocked: { url: string; reason: BlockReason }[];
  /** What was allowed but could not be reached. */
  readonly failed: { url: string; kind: FailureKind }[];
  /** Every host asked for, allowed or not. */
  readonly hosts: Set<string>;
  /** Both directions. */
  readonly bytes: number;
  readonly requests: number;
  close(): Promise<void>;
};

const connectMs = 10_000;
const maxRequestHeaderBytes = 64 * 1024;
const maxRecorded = 1_000;

type LaneDeps = { guard: Guard; logger?: Log; onClose: () => void };

export async function openLane({ guard, logger, onClose }: LaneDeps, options: LaneOptions): Promise<Lane> {
  const blocked: Lane["blocked"] = [];
  const failed: Lane["failed"] = [];
  const hosts = new Set<string>();
  const answers = rememberAnswers();
  const sockets = new Set<Duplex>();
  let bytes = 0;
  let requests = 0;
  let isOpen = true;
  let spent: "requests" | "bytes" | "time" | null = null;

  function count(size: number) {
    bytes += size;
    if (bytes > options.maxBytes) spend("bytes");
  }

  /** Too many requests only end new ones; too many bytes or too much time end everything. */
  function spend(reason: "requests" | "bytes" | "time") {
    if (!spent) logger?.info({ reason, bytes, requests }, "a capture spent its lane");
    spent ??= reason;
    if (reason !== "requests") hangUp();
  }

  function hangUp() {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  }

  function track<S extends Duplex>(socket: S): S {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // A broken socket is closed by itself; what it was for learns of it by its own listeners.
    socket.on("error", () => {});
    return socket;
  }

  /** The checked target, or the status to answer with. */
  async function admit(url: string): Promise<Target | 403 | 502> {
    requests += 1;
    const host = URL.parse(url)?.hostname;
    if (host && hosts.size < maxRecorded) hosts.add(host);
    if (requests > options.maxRequests) spend("requests");
    if (spent) return block(url, spent);
    const judgement = await guard.judge(url, "browser", answers);
    if (spent) return block(url, spent);
    if (judgement.ok) return judgement.target;
    return block(url, refusalKind(judgement) === "dns" ? "dns" : "guard");
  }

  function block(url: string, reason: BlockReason): 403 | 502 {
    if (blocked.length < maxRecorded) blocked.push({ url: url.slice(0, 2048), reason });
    return reason === "dns" ? 502 : 403;
  }

  function fail(url: string, error: unknown) {
    const kind = error instanceof FailureError ? error.failure.kind : "protocol";
    if (isOpen && failed.length < maxRecorded) failed.push({ url: url.slice(0, 2048), kind });
  }

  async function reach(target: Target): Promise<Socket> {
    const { socket } = await dial(target, connectMs);
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
      join(client, upstream);
    } catch (error) {
      fail(url, error);
      client.end(statusLine(502));
    }
  }

  function join(client: Duplex, upstream: Socket) {
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on("data", (chunk: Buffer) => count(chunk.length));
      from.pipe(to);
      // What already came is handed on before the other side is closed too.
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
  const take = (socket: Socket) => server.emit("connection", socket);
  if (options.server) listener.on("connection", take);
  else await once(server.listen(0, "127.0.0.1"), "listening");
  const timer = setTimeout(() => spend("time"), options.deadlineMs);

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
    async close() {
      clearTimeout(timer);
      spent ??= "time";
      hangUp();
      forward.close();
      onClose();
      listener.off("connection", take);
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
  const headers = endToEnd(request.rawHeaders, target.url.host);
  headers.push("Connection", "Upgrade", "Upgrade", "websocket");
  let head = `${request.method} ${target.url.pathname}${target.url.search} HTTP/1.1\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${head}\r\n`;
}
