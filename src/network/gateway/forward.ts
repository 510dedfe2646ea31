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
import { listCodings } from "../dialing/content-codings.ts";
import { maxHeaderBytes } from "../dialing/pools.ts";
import { FailureError } from "../failure.ts";
import type { Target } from "../guard.ts";
import { dropHopByHopHeaders } from "./drop-hop-by-hop-headers.ts";
import { verifyCompleteBody } from "./verify-complete-body.ts";

export type ForwardDeps = {
  reach: (target: Target) => Promise<Socket>;
  count: (bytes: number) => void;
  fail: (url: string, error: unknown) => void;
};

type Options = RequestOptions & { target: Target };

/** Forwards plain HTTP requests and keeps upstream connections open for the tunnel's lifetime. */
export function createForwarder(deps: ForwardDeps) {
  const agent = new Agent({ keepAlive: true });
  // A name has the same addresses for the whole tunnel, so host and port are enough to identify an open connection.
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
    const headers = dropHopByHopHeaders(incoming.rawHeaders, target.url.host);
    if (isChunked) headers.push("Transfer-Encoding", "chunked");
    deps.count(sizeOf(headers));
    // Chromium sends this header with documents, including those in frames, and with nothing else.
    const isDocument = incoming.headers["upgrade-insecure-requests"] !== undefined;

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
      const outgoing = httpRequest(options, (upstream) => {
        relay(upstream, response, { ...deps, url: target.url.href, isDocument });
      });
      outgoing.once("error", (error: NodeJS.ErrnoException) => {
        if (response.destroyed) return;
        if (response.headersSent) return endEarly(target.url.href, response, deps);
        // The server closed a reused connection just as the request was sent.
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

type RelayDeps = Pick<ForwardDeps, "count" | "fail"> & { url: string; isDocument: boolean };

function relay(upstream: IncomingMessage, response: ServerResponse, deps: RelayDeps) {
  const headers = dropHopByHopHeaders(upstream.rawHeaders);
  deps.count(sizeOf(headers));
  response.sendDate = false;
  try {
    response.writeHead(upstream.statusCode ?? 502, headers);
  } catch {
    // Node accepts some headers that it refuses to write.
    upstream.destroy();
    return response.destroy();
  }
  upstream.on("data", (chunk: Buffer) => deps.count(chunk.length));
  const check = deps.isDocument ? createBodyCheck(upstream) : null;
  upstream.once("error", () => {
    check?.destroy();
    endEarly(deps.url, response, deps);
  });
  if (!check) return upstream.pipe(response);
  check.once("error", () => endEarly(deps.url, response, deps));
  upstream.pipe(check).pipe(response);
}

/** Breaks off a response whose body was cut, so that the browser notices it too. */
function endEarly(url: string, response: ServerResponse, { fail }: Pick<ForwardDeps, "fail">) {
  // The browser has closed the connection and does not need the rest.
  if (response.destroyed) return;
  fail(url, new FailureError("cut"));
  response.destroy();
}

/**
 * A stream that checks that a compressed body is complete; null without a coding or for a partial response. If there
 * are several codings, a cut transfer ends within the last one, which was applied to all others.
 */
function createBodyCheck({ statusCode, headers }: IncomingMessage) {
  const coding = listCodings([headers["content-encoding"] ?? ""]).at(-1);
  return coding === undefined || statusCode === 206 ? null : verifyCompleteBody(coding);
}

function sizeOf(headers: string[]): number {
  return headers.reduce((size, part) => size + part.length + 2, 0);
}
