import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { maxHeaderBytes } from "../dialing/pools.ts";
import type { Target } from "../guard.ts";
import { endToEnd } from "./end-to-end.ts";

export type ForwardDeps = {
  reach: (target: Target) => Promise<Socket>;
  count: (bytes: number) => void;
  fail: (url: string, error: unknown) => void;
};

type Options = RequestOptions & { target: Target };

/** Passes plain HTTP requests on, keeping upstream connections for the lane's life. */
export function createForwarder(deps: ForwardDeps) {
  const agent = new Agent({ keepAlive: true });
  // One name has one meaning per lane, so host and port are key enough for a kept connection.
  agent.createConnection = (options, done) => {
    const { target } = options as unknown as Options;
    deps.reach(target).then(
      (socket) => done?.(null, socket),
      (error) => done?.(error as Error, undefined as unknown as Duplex),
    );
    return undefined;
  };

  function request(target: Target, incoming: IncomingMessage, response: ServerResponse) {
    const isChunked = incoming.headers["transfer-encoding"] !== undefined;
    const hasBody = isChunked || Number(incoming.headers["content-length"] ?? 0) > 0;
    const headers = endToEnd(incoming.rawHeaders, target.url.host);
    if (isChunked) headers.push("Transfer-Encoding", "chunked");
    deps.count(sizeOf(headers));

    function send(): ClientRequest {
      const options: Options = {
        agent,
        target,
        host: target.hostname,
        port: target.port,
        method: incoming.method,
        path: target.url.pathname + target.url.search,
        headers,
        setHost: false,
        maxHeaderSize: maxHeaderBytes,
      };
      const outgoing = httpRequest(options, (upstream) => relay(upstream, response, deps));
      outgoing.once("error", (error: NodeJS.ErrnoException) => {
        if (response.headersSent || response.destroyed) return response.destroy();
        // A kept connection that its server closed in the same moment.
        if (outgoing.reusedSocket && !hasBody && error.code === "ECONNRESET") return void send();
        deps.fail(target.url.href, error);
        response.writeHead(502, { "content-length": 0 }).end();
      });
      response.once("close", () => {
        if (!response.writableFinished) outgoing.destroy();
      });
      if (!hasBody) return outgoing.end();
      incoming.on("data", (chunk: Buffer) => deps.count(chunk.length));
      return incoming.pipe(outgoing);
    }
    send();
  }

  return { request, close: () => agent.destroy() };
}

function relay(upstream: IncomingMessage, response: ServerResponse, deps: ForwardDeps) {
  const headers = endToEnd(upstream.rawHeaders);
  deps.count(sizeOf(headers));
  response.sendDate = false;
  try {
    response.writeHead(upstream.statusCode ?? 502, headers);
  } catch {
    // Node reads a little more than it is willing to write.
    upstream.destroy();
    return response.destroy();
  }
  upstream.on("data", (chunk: Buffer) => deps.count(chunk.length));
  upstream.once("error", () => response.destroy());
  upstream.pipe(response);
}

function sizeOf(headers: string[]): number {
  return headers.reduce((size, part) => size + part.length + 2, 0);
}
