import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { areUserHeadersAllowed, type Header } from "#page-requests/user-headers.ts";
import { decodeBody } from "./dialing/decode-body.ts";
import { exchange } from "./dialing/exchange.ts";
import { openVia } from "./dialing/open-via.ts";
import { createPools, type TlsInfo } from "./dialing/pools.ts";
import { type Failure, FailureError, refusalKind } from "./failure.ts";
import { type Guard, type Judgement, maxRedirects, type Purpose, type Target } from "./guard.ts";
import type { PageProxy } from "./proxy.ts";

export type FetchRequest = {
  url: string;
  purpose: Purpose;
  method?: string;
  body?: string | Uint8Array;
  /** The user's headers, limited by E9. They override ours; like the body, they are dropped when the origin changes. */
  userHeaders?: Header[];
  /** Our own headers: validators, content type, signature. Names in lower case. */
  headers?: Header[];
  /** Keeps only the first bytes of the body; `truncated` says whether there were more. */
  keepBytes?: number;
  /** A shorter limit than the default of 30 s for everything together. */
  totalMs?: number;
  /** The proxy that the request goes through, redirects included. */
  proxy?: PageProxy | undefined;
  /** Opens a new connection through the proxy, which proves that it works now. */
  isFresh?: boolean;
};

export type FetchResponse = {
  /** After redirects. */
  url: string;
  redirects: { url: string; status: number }[];
  status: number;
  /** Names in lower case, in the order received, repeated names repeated. */
  headers: Header[];
  protocol: "http/1.1";
  tls: TlsInfo | null;
  /** Milliseconds of the last hop; `total` covers all hops. A phase that did not happen is absent. */
  timing: {
    dns?: number;
    connect?: number;
    tls?: number;
    firstByte: number;
    download: number;
    total: number;
  };
  body: Uint8Array;
  truncated: boolean;
};

export type FetchResult = { ok: true; response: FetchResponse } | { ok: false; failure: Failure };

export type GuardedFetch = { fetch(request: FetchRequest): Promise<FetchResult>; close(): Promise<void> };

const limits = { connectMs: 10_000, totalMs: 30_000, bodyBytes: 10 * 1024 * 1024 };

const usualHeaders: Header[] = [
  ["user-agent", "Mozilla/5.0 (compatible; Watchglass/0.1)"],
  ["accept", "*/*"],
];
/** Those of our headers that reveal nothing about the first origin, so that other origins may get them too. */
const crossOriginNames = new Set(["user-agent", "accept", "accept-language"]);
const redirectStatus = new Set([301, 302, 303, 307, 308]);

/** The server's only HTTP client: every hop is judged, and only checked addresses are dialed. */
export function createGuardedFetch(guard: Guard): GuardedFetch {
  const pools = createPools(limits.connectMs);

  async function follow(request: FetchRequest, deadline: AbortSignal): Promise<FetchResponse> {
    const started = performance.now();
    const cut = request.keepBytes !== undefined;
    const maxBytes = request.keepBytes ?? limits.bodyBytes;
    // The first bytes of a compressed body may take more bytes than they decode to.
    const maxPackedBytes = Math.max(maxBytes, 64 * 1024);
    const redirects: FetchResponse["redirects"] = [];
    let outgoing = firstRequest(request);
    const { proxy } = request;
    const via = proxy && {
      ...(await openVia(guard, proxy)),
      ...(request.isFresh && { nonce: randomUUID() }),
    };
    let target = requireAccepted(await guard.judge(request.url, request.purpose, undefined, proxy));

    for (;;) {
      const current = target;
      const path = target.url.pathname + target.url.search;
      const answer = await exchange(
        () => pools.poolFor(current, via),
        { ...outgoing, path, maxBytes: maxPackedBytes, cut },
        deadline,
      );
      const location = answer.headers.find(([name]) => name === "location")?.[1];
      if (
        location === undefined ||
        !redirectStatus.has(answer.status) ||
        maxRedirects[request.purpose] === 0
      ) {
        const { body, isCut } = await decodeBody(answer, maxBytes, cut);
        const dns = target.lookupMs > 0 ? { dns: target.lookupMs } : {};
        return {
          url: target.url.href,
          redirects,
          status: answer.status,
          headers: answer.headers,
          protocol: "http/1.1",
          tls: answer.tls,
          timing: { ...dns, ...answer.timing, total: performance.now() - started },
          body,
          truncated: isCut,
        };
      }
      const from = target.url;
      // Header bytes are read as latin1; a Location with non-ASCII bytes is UTF-8 in practice.
      const text = Buffer.from(location, "latin1").toString();
      const judging = guard.judgeRedirect(text, from, request.purpose, redirects.length, proxy);
      target = requireAccepted(await judging);
      redirects.push({ url: from.href, status: answer.status });
      if (target.url.hash === "") target.url.hash = from.hash;
      outgoing = nextRequest(outgoing, answer.status, target.url.origin !== from.origin);
    }
  }

  return {
    async fetch(request) {
      if (!areUserHeadersAllowed(request.userHeaders ?? [])) return { ok: false, failure: { kind: "guard" } };
      const deadline = new AbortController();
      const totalMs = Math.min(request.totalMs ?? limits.totalMs, limits.totalMs);
      const timer = setTimeout(() => deadline.abort(), totalMs);
      try {
        const response = await Promise.race([follow(request, deadline.signal), whenAborted(deadline.signal)]);
        return { ok: true, response };
      } catch (error) {
        if (error instanceof FailureError) return { ok: false, failure: error.failure };
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => pools.close(),
  };
}

type Outgoing = {
  method: string;
  body: string | Uint8Array | null;
  headers: Header[];
  crossOriginHeaders: Header[];
};

function firstRequest(request: FetchRequest): Outgoing {
  const ours = [...(request.headers ?? []), ...usualHeaders];
  return {
    method: request.method ?? "GET",
    body: request.body ?? null,
    headers: composeHeaders(request.userHeaders ?? [], ours),
    crossOriginHeaders: composeHeaders(
      [],
      ours.filter(([name]) => crossOriginNames.has(name)),
    ),
  };
}

function nextRequest(last: Outgoing, status: number, isNewOrigin: boolean): Outgoing {
  const method = last.method === "HEAD" ? "HEAD" : "GET";
  if (isNewOrigin) return { ...last, method, body: null, headers: last.crossOriginHeaders };
  const isRepeated = status === 307 || status === 308;
  return isRepeated ? last : { ...last, method, body: null };
}

/** The user's headers, then those of ours that they don't set; users can't choose the content encoding (E10). */
function composeHeaders(user: Header[], ours: Header[]): Header[] {
  const headers = user
    .filter(([name]) => name.toLowerCase() !== "accept-encoding")
    .map(([name, value]): Header => [name, Buffer.from(value).toString("latin1")]);
  const taken = new Set(headers.map(([name]) => name.toLowerCase()));
  for (const header of ours) {
    if (!taken.has(header[0])) headers.push(header);
    taken.add(header[0]);
  }
  return [...headers, ["accept-encoding", "gzip"]];
}

function requireAccepted(judgement: Judgement): Target {
  if (judgement.ok) return judgement.target;
  throw new FailureError(refusalKind(judgement));
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new FailureError("timeout")), { once: true });
  });
}
