import { performance } from "node:perf_hooks";
import type { Dispatcher } from "undici";
import type { Header } from "#page-requests/user-headers.ts";
import { FailureError } from "../failure.ts";
import type { HostPool, TlsInfo } from "./pools.ts";

export type Exchange = {
  status: number;
  headers: Header[];
  /** As received, still compressed. */
  body: Buffer;
  isCut: boolean;
  tls: TlsInfo | null;
  timing: { connect?: number; tls?: number; firstByte: number; download: number };
};

export type ExchangeRequest = {
  path: string;
  method: string;
  headers: Header[];
  body: Uint8Array | string | null;
  /** Above this many bytes the exchange fails, or ends early where `cut` is set. */
  maxBytes: number;
  cut: boolean;
};

/** Sends one request on a pooled connection and reads its response; rejects only with a FailureError. */
export async function exchange(
  hostPool: () => HostPool,
  request: ExchangeRequest,
  deadline: AbortSignal,
): Promise<Exchange> {
  const isRepeatable = request.method === "GET" || request.method === "HEAD";
  const sent = performance.now();
  try {
    return await attempt(hostPool(), request, deadline, sent);
  } catch (error) {
    // A server may close an open connection just as it is reused; that says nothing about the page.
    const isStale = error instanceof StaleError;
    if (!isStale || !isRepeatable || deadline.aborted) throw error;
    return attempt(hostPool(), request, deadline, performance.now());
  }
}

class StaleError extends FailureError {}

function attempt(
  host: HostPool,
  request: ExchangeRequest,
  deadline: AbortSignal,
  sent: number,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status = 0;
    let headers: Header[] = [];
    let firstByteAt = 0;
    let sendingAt = sent;
    let controller: Dispatcher.DispatchController | undefined;
    let fresh: HostPool["newest"] = null;
    let isDone = false;

    const expire = () => fail(new FailureError("timeout"));
    if (deadline.aborted) return expire();
    deadline.addEventListener("abort", expire, { once: true });

    function settle() {
      isDone = true;
      deadline.removeEventListener("abort", expire);
    }
    function fail(error: Error) {
      if (isDone) return;
      settle();
      controller?.abort(error);
      reject(error);
    }
    function finish(isCut: boolean) {
      if (isDone) return;
      settle();
      const timing: Exchange["timing"] = {
        firstByte: firstByteAt - sendingAt,
        download: performance.now() - firstByteAt,
      };
      if (fresh) timing.connect = fresh.connectMs;
      if (fresh && fresh.tlsMs !== null) timing.tls = fresh.tlsMs;
      const [only, ...others] = chunks;
      const body = only && others.length === 0 ? only : Buffer.concat(chunks);
      const done = { status, headers, body, isCut, tls: host.tls, timing };
      // undici frees the connection in the next immediate; a request that comes sooner would open a new one.
      queueMicrotask(() => setImmediate(resolve, done));
    }

    host.pool.dispatch(
      {
        path: request.path,
        method: request.method,
        headers: request.headers.flat(),
        body: request.body as Buffer | string | null,
      },
      {
        onRequestStart(given) {
          controller = given;
          if (isDone) return given.abort(new FailureError("timeout"));
          sendingAt = performance.now();
          if (host.newest && host.newest.startedAt >= sent) {
            fresh = host.newest;
            host.newest = null;
          }
        },
        onResponseStart(given, statusCode) {
          if (statusCode < 200) return;
          firstByteAt = performance.now();
          status = statusCode;
          headers = readHeaders(given.rawHeaders);
        },
        onResponseData(given, chunk) {
          bytes += chunk.length;
          if (bytes <= request.maxBytes) {
            chunks.push(chunk);
          } else if (request.cut) {
            chunks.push(chunk.subarray(0, chunk.length - (bytes - request.maxBytes)));
            finish(true);
            given.abort(new FailureError("too-large"));
          } else {
            fail(new FailureError("too-large"));
          }
        },
        onResponseEnd: () => finish(false),
        onResponseError: (_given, error) => fail(asFailure(error, status > 0, fresh === null)),
      },
    );
  });
}

function readHeaders(raw: Dispatcher.DispatchController["rawHeaders"]): Header[] {
  const list = Array.isArray(raw) ? raw : [];
  const headers: Header[] = [];
  for (let at = 0; at + 1 < list.length; at += 2) {
    headers.push([textOf(list[at]).toLowerCase(), textOf(list[at + 1])]);
  }
  return headers;
}

const textOf = (part: Buffer | string | undefined) =>
  typeof part === "string" ? part : (part?.toString("latin1") ?? "");

const brokenSocket = new Set([
  "UND_ERR_SOCKET",
  "UND_ERR_DESTROYED",
  "UND_ERR_CLOSED",
  "ECONNRESET",
  "EPIPE",
  "ECONNABORTED",
  "ECONNREFUSED",
]);

/** Whether the connection or the HTTP message ended before the body was complete. */
function isEarlyEnd(error: Error, code: string): boolean {
  // The parser's error has this only in its message, not as a code.
  const isUnfinished =
    code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" || /Invalid EOF state/.test(error.message);
  return isUnfinished || brokenSocket.has(code);
}

function asFailure(error: Error, hasBegun: boolean, isReusedConnection: boolean): FailureError {
  if (error instanceof FailureError) return error;
  const code = "code" in error ? String(error.code) : "";
  if (hasBegun && isEarlyEnd(error, code)) return new FailureError("cut", error);
  if (code === "UND_ERR_HEADERS_OVERFLOW") return new FailureError("too-large", error);
  if (code === "ETIMEDOUT") return new FailureError("timeout", error);
  if (code.startsWith("ERR_SSL")) return new FailureError("tls", error);
  if (!brokenSocket.has(code)) return new FailureError("protocol", error);
  return isReusedConnection ? new StaleError("refused", error) : new FailureError("refused", error);
}
