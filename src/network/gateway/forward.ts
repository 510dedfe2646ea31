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
import { endToEnd } from "./end-to-end.ts";
import { holdUntilWhole } from "./hold-until-whole.ts";

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
    // Chromium sends this with documents, framed ones included, and with nothing else.
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

type Relayed = Pick<ForwardDeps, "count" | "fail"> & { url: string; isDocument: boolean };

function relay(upstream: IncomingMessage, response: ServerResponse, deps: Relayed) {
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
  const whole = deps.isDocument ? wholeBody(upstream) : null;
  upstream.once("error", () => {
    whole?.destroy();
    endEarly(deps.url, response, deps);
  });
  if (!whole) return upstream.pipe(response);
  whole.once("error", () => endEarly(deps.url, response, deps));
  upstream.pipe(whole).pipe(response);
}

/** Ends an answer where its body did, so that the browser sees that it was cut as well. */
function endEarly(url: string, response: ServerResponse, { fail }: Pick<ForwardDeps, "fail">) {
  // Whoever hung up has no use for the rest.
  if (response.destroyed) return;
  fail(url, new FailureError("cut"));
  response.destroy();
}

/** What a coded body has to pass before it is believed to be whole; null for one that is not coded, or only a part. */
function wholeBody({ statusCode, headers }: IncomingMessage) {
  const [coding, ...more] = listCodings([headers["content-encoding"] ?? ""]);
  return coding === undefined || more.length > 0 || statusCode === 206 ? null : holdUntilWhole(coding);
}

function sizeOf(headers: string[]): number {
  return headers.reduce((size, part) => size + part.length + 2, 0);
}
