import type { CaptureFailure, Snapshot } from "#contract/capture.ts";
import { tellingPart } from "#detection/content-kind.ts";
import type { Lane } from "#network/egress-gateway.ts";
import type { FetchRequest, FetchResponse, GuardedFetch } from "#network/guarded-fetch.ts";
import { areUserHeadersAllowed, type Header } from "#network/user-headers.ts";
import { CdpError } from "./browser/cdp-error.ts";
import { type Ask, type Visit, type VisitLimits, visit, type WaitFor } from "./browser/visit.ts";
import type { BrowserPool } from "./browser-pool.ts";
import { conditions, type Evidence, mayAskByHttp, sha256, validatorOf } from "./evidence.ts";
import { failure } from "./failures.ts";
import { takeFile } from "./http/take-file.ts";
import { isUnproven, provesCut } from "./prove-whole.ts";
import type { Reader } from "./reader.ts";
import { wallHtml } from "./recognize-wall.ts";
import { pageSnapshot } from "./to-snapshot.ts";

export type CaptureDeps = {
  pool: BrowserPool;
  http: GuardedFetch;
  reader: Reader;
  moments?: Moments | undefined;
  /** Other limits than the usual ones, where nobody has time to wait for those. */
  limits?: Partial<VisitLimits>;
};

/** What others wait for. */
export type Moments = {
  /** Waited for before a browser looks or draws, where plain HTTP was not enough. */
  beforeBrowser?: () => Promise<void>;
  /** The site has given what there is: what is left to do asks nothing of it. */
  afterSite?: () => void;
};

export type CaptureRequest = {
  url: string;
  /** The user's, for the URL's own origin only. */
  headers?: Header[];
  /** Where it is not a plain GET: who asks, and what is sent, to the URL's own origin only. */
  ask?: Ask;
  /** What to wait for before looking, at most 15 s each. */
  waitFor?: WaitFor | null;
  /** What the last capture of this job returned. */
  previous?: Evidence | null;
  /** A change, or a baseline, rests on this capture: that its document is whole is worth another request. */
  isConfirmation?: boolean;
};

export type CaptureResult =
  | { ok: true; unchanged: false; snapshot: Snapshot; evidence: Evidence }
  /** By HTTP alone: the body is the one of the last snapshot, which therefore still stands. */
  | {
      ok: true;
      unchanged: true;
      seen: Pick<Snapshot, "url" | "finalUrl" | "redirects" | "status" | "headers" | "timing">;
      evidence: Evidence;
    }
  /** `snapshot` shows the wall where the site put one. */
  | { ok: false; failure: CaptureFailure; snapshot: Snapshot | null };

const retry = { delayMs: 500, withinMs: 20_000 };

/** Takes what a URL shows now. Whatever the outside does is a value; only our own bugs throw. */
export async function capture(deps: CaptureDeps, request: CaptureRequest): Promise<CaptureResult> {
  const { headers = [], ask } = request;
  if (![headers, ask?.headers ?? []].every(areUserHeadersAllowed)) return failed(failure("guard"));
  const started = performance.now();
  const first = await captureOnce(deps, request);
  // A wall does not fall in half a second, and a timeout has used the time up.
  const again = !first.ok && ["dns", "refused", "cut", "crashed"].includes(first.failure.kind);
  if (!again || performance.now() - started > retry.withinMs) return first;
  await new Promise((resolve) => setTimeout(resolve, retry.delayMs));
  // One of the pages took the browser down: each is tried again where it can take down only its own.
  return captureOnce(deps, request, first.failure.kind === "crashed" && deps.pool.isWary);
}

async function captureOnce(
  deps: CaptureDeps,
  request: CaptureRequest,
  isAlone = false,
): Promise<CaptureResult> {
  const previous = request.previous?.requestSha256 === (await requestHash(request)) ? request.previous : null;
  if (previous ? mayAskByHttp(previous) : isFileName(request.url) || request.ask?.body !== undefined) {
    const asked = await askByHttp(deps, request, previous);
    if (asked !== null) return asked;
  }
  await deps.moments?.beforeBrowser?.();
  const seen = await lookByBrowser(deps, request, isAlone);
  if (seen.outcome === "failed") return failed(seen.failure);
  if (seen.outcome === "not-html" || !(await isPage(deps, seen.snapshot))) {
    const taken = await askByHttp(deps, request, null, true);
    return taken ?? failed(failure("protocol"));
  }
  if (request.isConfirmation && isUnproven(seen.snapshot)) {
    const again = await deps.http.fetch(httpRequest(deps, request, null));
    if (provesCut(seen.snapshot, again)) return failed(failure("cut"));
  }
  return judged(deps, request, previous, seen.snapshot, seen.hasPassword);
}

/** A feed or JSON is often sent as HTML; a browser shows neither as what it is. */
async function isPage({ reader }: CaptureDeps, snapshot: Snapshot): Promise<boolean> {
  const { contentType, finalUrl: url, body } = snapshot;
  return (await reader.kindOf({ contentType, url, body: tellingPart(body) })) === "html";
}

type Look =
  | { outcome: "page"; snapshot: Snapshot; hasPassword: boolean }
  | Exclude<Visit, { outcome: "page" }>;

async function lookByBrowser(
  { pool, limits, moments }: CaptureDeps,
  request: CaptureRequest,
  isAlone: boolean,
): Promise<Look> {
  const { url, headers = [], ask } = request;
  const waitFor = request.waitFor ?? undefined;
  if (!isWebUrl(url)) return { outcome: "failed", failure: failure("guard") };
  const started = performance.now();
  try {
    return await pool.withTab(async (tab, lane) => {
      const seen = await visit(tab, { url, headers, ask, waitFor, atRest: moments?.afterSite }, limits);
      if (seen.outcome !== "page") {
        const refused = refusal(lane, seen.at ?? url);
        return refused ? { outcome: "failed", failure: refused } : seen;
      }
      const snapshot = await pageSnapshot(seen.page, lane, url);
      snapshot.timing.total = performance.now() - started;
      return { outcome: "page", snapshot, hasPassword: seen.page.facts.hasPassword };
    }, isAlone);
  } catch (error) {
    return ended(error);
  }
}

/** The browser is gone or does not answer: that says nothing of what it looked at. */
function ended(error: unknown): { outcome: "failed"; failure: CaptureFailure } {
  if (!(error instanceof CdpError)) throw error;
  return { outcome: "failed", failure: failure(error.kind === "gone" ? "crashed" : "timeout") };
}

/** Why the gateway let nothing through for this document, if it was the gateway. */
function refusal(lane: Lane, url: string): CaptureFailure | null {
  const origin = new URL(url).origin;
  const isThis = (each: { url: string }) => URL.canParse(each.url) && new URL(each.url).origin === origin;
  const blocked = lane.blocked.find(isThis);
  if (blocked) {
    const kinds = {
      guard: "guard",
      dns: "dns",
      requests: "too-large",
      bytes: "too-large",
      time: "timeout",
    } as const;
    return failure(kinds[blocked.reason]);
  }
  const unreachable = lane.failed.find(isThis);
  return unreachable ? failure(unreachable.kind) : null;
}

/** Plain HTTP: an unchanged body, or a file. Null means that a browser has to look. */
async function askByHttp(
  deps: CaptureDeps,
  request: CaptureRequest,
  previous: Evidence | null,
  isFile = false,
): Promise<CaptureResult | null> {
  const result = await deps.http.fetch(httpRequest(deps, request, previous));
  // What plain HTTP may not hold a browser may: a page's limit is higher than a file's.
  if (!result.ok && result.failure.kind === "too-large" && previous?.kind === "html") return null;
  if (!result.ok) return failed(failure(result.failure.kind));
  const { response } = result;
  const known = previous && (await isUnchanged(previous, response)) ? previous : null;
  if (known) {
    const evidence = { ...known, checksByHttp: known.checksByHttp + 1 };
    const { finalUrl, redirects, status, headers, timing } = { ...response, finalUrl: response.url };
    return {
      ok: true,
      unchanged: true,
      seen: { url: request.url, finalUrl, redirects, status, headers, timing },
      evidence,
    };
  }
  const contentType = response.headers.find(([name]) => name === "content-type")?.[1] ?? "";
  const kind = await deps.reader.kindOf({
    contentType,
    url: response.url,
    body: tellingPart(response.body),
  });
  if (!isFile && kind === "html") return null;
  deps.moments?.afterSite?.();
  await deps.moments?.beforeBrowser?.();
  const snapshot = await takeFile(deps, response, request.url, kind).catch(ended);
  if ("outcome" in snapshot) return failed(snapshot.failure);
  return judged(deps, request, previous, snapshot, false);
}

function httpRequest(
  { pool }: CaptureDeps,
  { url, headers, ask }: CaptureRequest,
  previous: Evidence | null,
): FetchRequest {
  return {
    url,
    purpose: "page",
    userHeaders: headers ?? [],
    headers: [
      ...(ask?.headers ?? []),
      ...(ask?.contentType ? [["content-type", ask.contentType] satisfies Header] : []),
      ...pool.requestHeaders,
      ...(previous ? conditions(previous) : []),
    ],
    ...(ask?.body === undefined ? {} : { method: ask.method, body: ask.body }),
  };
}

async function isUnchanged(previous: Evidence, response: FetchResponse): Promise<boolean> {
  if (response.url !== previous.finalUrl) return false;
  if (response.status === 304) return true;
  const isSame = response.status === 200 && (await sha256(response.body)) === previous.bodySha256;
  return isSame && validatorOf(response.headers) === previous.validator;
}

async function judged(
  { reader }: CaptureDeps,
  request: CaptureRequest,
  previous: Evidence | null,
  snapshot: Snapshot,
  hasPassword: boolean,
): Promise<CaptureResult> {
  const isHtml = snapshot.kind === "html";
  const { status, headers, title, text, forms, finalUrl, kind, contentType, body } = snapshot;
  const html = snapshot.html.slice(0, wallHtml);
  // Of what was cut nobody may say later that it still stands.
  const validator = status === 200 && !snapshot.truncated ? validatorOf(headers) : null;
  const recognized = isHtml
    ? await reader.recognize({
        seen: { status, headers, title, html, text, forms, finalUrl, kind },
        before: previous && { ...previous, hasPasswordNow: hasPassword },
        // Without a validator nothing depends on it.
        sent: validator === null ? null : { contentType, body },
      })
    : { wall: null, needsScript: false };
  const wall = recognized?.wall ?? null;
  if (wall !== null) return { ok: false, failure: failure("blocked", wall), snapshot };
  const evidence: Evidence = {
    requestSha256: await requestHash(request),
    kind: snapshot.kind,
    validator,
    bodySha256: snapshot.truncated ? "" : await sha256(body),
    needsScript: recognized?.needsScript ?? true,
    checksByHttp: 0,
    finalUrl: snapshot.finalUrl,
    hasPassword,
  };
  return { ok: true, unchanged: false, snapshot, evidence };
}

/** What evidence was learned with. */
export function requestHash({ url, headers = [], ask, waitFor }: CaptureRequest): Promise<string> {
  return sha256(JSON.stringify([url, headers, waitFor ?? null, ...(ask ? [ask] : [])]));
}

/** The gateway judges what reaches it; the rest (file:, data:) must not even be tried (B4). */
function isWebUrl(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? "");
}

/** Addresses that end like a file are asked for by HTTP first; a page there is still found out. */
function isFileName(url: string): boolean {
  const name = URL.parse(url)?.pathname ?? "";
  return /\.(txt|json|xml|rss|atom|js|mjs|css|csv|md|pdf|png|jpe?g|gif|webp|svg|ico|zip|gz|ya?ml|map)$/i.test(
    name,
  );
}

function failed(reason: CaptureFailure): CaptureResult {
  return { ok: false, failure: reason, snapshot: null };
}
