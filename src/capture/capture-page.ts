import { hash } from "node:crypto";
import { type BrowserSettings, defaultBrowser } from "#contract/browser-settings.ts";
import type { CaptureFailure, Snapshot } from "#contract/capture.ts";
import { sniffablePart } from "#detection/file-formats/detect-content-kind.ts";
import type { Tunnel } from "#network/egress-gateway.ts";
import type { FetchRequest, FetchResponse, FetchResult, GuardedFetch } from "#network/guarded-fetch.ts";
import type { PageProxy, ProxyProblem } from "#network/proxy.ts";
import { areUserHeadersAllowed, type Header } from "#page-requests/user-headers.ts";
import type { AdHosts } from "./ad-hosts.ts";
import { textLengthOf } from "./bot-walls/recognize-stand-in.ts";
import { maxWallHtml, type Wall } from "./bot-walls/recognize-wall.ts";
import { CdpError } from "./browser/devtools-protocol/cdp-error.ts";
import { describeFailedStep, type TakenStep } from "./browser/page-steps/run-page-steps.ts";
import type { StepsRequest } from "./browser/page-steps/step-page.ts";
import { visit } from "./browser/page-visit/visit.ts";
import {
  type Ask,
  sessionMs,
  stepsMs,
  type Visit,
  type VisitLimits,
  type WaitFor,
} from "./browser/page-visit/visit-request.ts";
import type { Tab } from "./browser/tab.ts";
import type { BrowserPool } from "./browser-pool.ts";
import { consentRulesVersion } from "./consent-banners/consent-library.ts";
import { mayBeCut, provesDocumentCut } from "./failures/detect-cut-document.ts";
import { failure, outOfTime } from "./failures/failures.ts";
import { captureFile } from "./files/capture-file.ts";
import { hideSession } from "./hide-session.ts";
import {
  canCheckByHttp,
  conditions,
  type Evidence,
  sha256,
  validatorOf,
} from "./plain-http/http-evidence.ts";
import { describeProxies, type ProxyChoice, type ProxyUse } from "./proxy-choice.ts";
import type { Reader } from "./reader.ts";
import { type SessionRequest, type SessionResult, tokensOf } from "./session-jar.ts";
import { toPageSnapshot } from "./to-snapshot.ts";

export type { TakenStep } from "./browser/page-steps/run-page-steps.ts";
export type { StepsRequest } from "./browser/page-steps/step-page.ts";

export type CaptureDeps = {
  pool: BrowserPool;
  http: GuardedFetch;
  reader: Reader;
  /** The hosts of ads, if the operator supplies a list of them. */
  adHosts?: AdHosts | null;
  moments?: CaptureCallbacks | undefined;
  /** Overrides the default limits, for tests that can't wait for those. */
  limits?: Partial<VisitLimits>;
};

/** The same for one attempt, which goes through a proxy or doesn't, and notes how the proxy did. */
type AttemptDeps = CaptureDeps & { through?: Through | undefined };
type Through = { proxy: PageProxy; problem?: ProxyProblem; ms?: number };

/** Callbacks at the points of a capture that others wait for. */
export type CaptureCallbacks = {
  /** Awaited before a browser captures a page or draws a file; not called if plain HTTP is enough. */
  beforeBrowser?: () => Promise<void>;
  /** Called when the site has sent everything: the remaining work makes no more requests to it. */
  onSiteDone?: () => void;
};

export type CaptureRequest = {
  url: string;
  /** The user's headers, sent only to the URL's own origin. */
  headers?: Header[];
  /** Method, headers and body if it is not a plain GET; sent only to the URL's own origin. */
  ask?: Ask;
  /** What to wait for before the capture, at most 15 s each. */
  waitFor?: WaitFor | null;
  /** What is done on the page before the capture. */
  pageSteps?: StepsRequest | null;
  /** The session in which the page is opened, if it is behind a sign-in. */
  session?: SessionRequest | null;
  /** How the browser opens the page: its device, its visitor, its answer to consent banners. */
  browser?: BrowserSettings | null;
  /** The proxies to go through: the next one only if those before don't connect us. Without any, we go directly. */
  proxies?: ProxyChoice[];
  /** The evidence that the last capture of this job returned. */
  previous?: Evidence | null;
  /** A change or a baseline depends on this capture, so one more request may prove that the document is complete. */
  isConfirmation?: boolean;
};

/** `steps`: what was done on the page before the capture, with the step that failed as the last one. */
export type CaptureResult = { proxyUses?: ProxyUse[] } & Outcome;

type Outcome = { steps?: TakenStep[]; session?: SessionResult | undefined } & (
  | {
      ok: true;
      unchanged: false;
      snapshot: Snapshot;
      evidence: Evidence;
      /** The wall that the page is, unless the job watches it for its error status. */
      errorWall?: Wall;
    }
  /** Answered by plain HTTP: the body is the last snapshot's, so that snapshot is still current. */
  | {
      ok: true;
      unchanged: true;
      seen: Pick<Snapshot, "url" | "finalUrl" | "redirects" | "status" | "headers" | "timing">;
      evidence: Evidence;
    }
  /** `snapshot` shows the bot wall or login, if that was the failure. */
  | { ok: false; failure: CaptureFailure; snapshot: Snapshot | null }
);

const retry = { delayMs: 500, withinMs: 20_000 };

/**
 * Captures what a URL shows now, through the first of the job's proxies that connects us. Failures of the outside world
 * are values; only our own bugs throw.
 */
export async function capture(deps: CaptureDeps, request: CaptureRequest): Promise<CaptureResult> {
  const { proxies = [] } = request;
  if (proxies.length === 0) return captureThrough(deps, request);
  const proxyUses: ProxyUse[] = [];
  for (const choice of proxies) {
    const { id, name } = choice;
    const through: Through | undefined = choice.proxy && { proxy: choice.proxy };
    const result =
      choice.problem === undefined
        ? await captureThrough({ ...deps, through }, request)
        : failWith(failure("proxy"));
    if (result.ok || result.failure.kind !== "proxy") {
      proxyUses.push({ id, name, problem: null, ms: through?.ms ?? null });
      return { ...(result.ok ? withProxy(result, request, id) : result), proxyUses };
    }
    proxyUses.push({ id, name, problem: choice.problem ?? through?.problem ?? "refused", ms: null });
  }
  return { ...failWith(failure("proxy", describeProxies(proxyUses))), proxyUses };
}

const withProxy = <Result extends Outcome & { ok: true }>(
  result: Result,
  { proxies = [] }: CaptureRequest,
  proxy: string,
): Result => ({
  ...result,
  evidence: { ...result.evidence, proxies: proxies.map(({ id }) => id), proxy },
});

async function captureThrough(deps: AttemptDeps, request: CaptureRequest): Promise<Outcome> {
  const { headers = [], ask } = request;
  if (![headers, ask?.headers ?? []].every(areUserHeadersAllowed)) return failWith(failure("guard"));
  const started = performance.now();
  const first = await captureOnce(deps, request);
  // Other failures are not retried: a wall stays longer than half a second, and a timeout has used up the time.
  const again = !first.ok && ["dns", "refused", "cut", "crashed"].includes(first.failure.kind);
  if (!again || performance.now() - started > retry.withinMs) return first;
  await new Promise((resolve) => setTimeout(resolve, retry.delayMs));
  // One of the open pages crashed the browser: each is retried in a browser of its own, where it harms no other.
  return captureOnce(deps, request, first.failure.kind === "crashed" && deps.pool.hasRecentMemoryKill);
}

async function captureOnce(deps: AttemptDeps, request: CaptureRequest, isAlone = false): Promise<Outcome> {
  const previous = request.previous?.requestSha256 === (await requestHash(request)) ? request.previous : null;
  if (request.pageSteps || request.session) return captureInBrowser(deps, request, isAlone);
  const method = request.ask?.method ?? "GET";
  // A browser can show nothing of a reply without a body.
  const isBodiless = method === "HEAD";
  if (previous ? canCheckByHttp(previous) || isBodiless : isFileName(request.url) || method !== "GET") {
    const captured = await captureByHttp(deps, request, previous, isBodiless ? "file" : "unknown");
    if (captured !== null) return captured;
  }
  await deps.moments?.beforeBrowser?.();
  const seen = await captureByBrowser(deps, request, isAlone);
  if (seen.outcome === "failed") return failWith(seen.failure);
  if (seen.outcome === "not-html" || !(await isPage(deps, seen.snapshot))) {
    const isAborted = seen.outcome === "not-html" && seen.isAborted === true;
    const file = await captureByHttp(deps, request, null, isAborted ? "download" : "file");
    return file ?? failWith(failure(isAborted ? "crashed" : "protocol"));
  }
  if (request.isConfirmation && mayBeCut(seen.snapshot)) {
    const again = await fetchByHttp(deps, request, null);
    if (provesDocumentCut(seen.snapshot, again)) return failWith(failure("cut"));
  }
  return judgeSnapshot(deps, request, previous, seen.snapshot, seen.hasPassword);
}

/** Only a browser can do steps or be signed in, so neither a file nor an unchanged body is looked for by plain HTTP. */
async function captureInBrowser(
  deps: AttemptDeps,
  request: CaptureRequest,
  isAlone: boolean,
): Promise<Outcome> {
  await deps.moments?.beforeBrowser?.();
  const { session, ...captured } = await captureByBrowser(deps, request, isAlone);
  const jars = [request.session?.jar, session?.jar].filter((jar) => jar !== undefined);
  const secrets = [...(request.pageSteps?.secrets.values() ?? []), ...jars.flatMap(tokensOf)];
  // Before anything is judged or hashed, so that all of it is about what is stored.
  const seen = hideSession(captured as BrowserCapture, secrets);
  const done = { steps: seen.steps ?? [], session };
  if (seen.outcome === "failed") return { ...failWith(seen.failure), ...done };
  if (seen.outcome === "not-html" || !(await isPage(deps, seen.snapshot)))
    return { ...failWith(failure("steps", request.pageSteps ? noFileAfterSteps : noFileInSession)), ...done };
  return { ...(await judgeSnapshot(deps, request, null, seen.snapshot, seen.hasPassword)), ...done };
}

const noFileAfterSteps = "The URL is a file, and steps can only run on a page.";
const noFileInSession = "The URL is a file, and only a page can show that we’re signed in.";

/** Whether it really is a web page: feeds and JSON are often sent as HTML, but a browser shows neither properly. */
async function isPage({ reader }: CaptureDeps, snapshot: Snapshot): Promise<boolean> {
  const { contentType, finalUrl: url, body } = snapshot;
  return (await reader.kindOf({ contentType, url, body: sniffablePart(body) })) === "html";
}

type BrowserCapture =
  | {
      outcome: "page";
      snapshot: Snapshot;
      hasPassword: boolean;
      steps?: TakenStep[] | undefined;
      session?: SessionResult | undefined;
    }
  | Exclude<Visit, { outcome: "page" }>;

async function captureByBrowser(
  { pool, limits, moments, through, adHosts }: AttemptDeps,
  request: CaptureRequest,
  isAlone: boolean,
): Promise<BrowserCapture> {
  const { url, headers = [], ask, browser = null, pageSteps, session } = request;
  const waitFor = request.waitFor ?? undefined;
  if (!isWebUrl(url)) return { outcome: "failed", failure: failure("guard") };
  const started = performance.now();
  try {
    const visitPage = async (tab: Tab, tunnel: Tunnel): Promise<BrowserCapture> => {
      const onSettled = moments?.onSiteDone;
      const seen = await visit(
        tab,
        { url, headers, ask, waitFor, pageSteps, session, browser, adHosts: adHosts ?? undefined, onSettled },
        limits,
      );
      if (through) noteProxy(through, tunnel.proxyMs, tunnel.failed.find((each) => each.proxy)?.proxy);
      if (seen.outcome !== "page") {
        const refused = gatewayFailure(tunnel, seen.at ?? url, seen);
        return refused ? { outcome: "failed", ...whileStepping(refused, seen.steps) } : seen;
      }
      const snapshot = await toPageSnapshot(seen.page, tunnel, url);
      snapshot.timing.total = performance.now() - started;
      const { hasPassword } = seen.page.facts;
      return { outcome: "page", snapshot, hasPassword, steps: seen.steps, session: seen.session };
    };
    const moreMs = (pageSteps ? stepsMs : 0) + (session ? sessionMs : 0);
    return await pool.withTab(visitPage, isAlone, through?.proxy, moreMs);
  } catch (error) {
    return asBrowserFailure(error);
  }
}

/** Names the step during which the gateway refused an address or didn't reach it. */
function whileStepping(refused: CaptureFailure, steps: TakenStep[] = []) {
  const last = steps.at(-1);
  if (!last || last.error === null) return { failure: refused, steps };
  const named = [...steps.slice(0, -1), { ...last, error: refused.message }];
  return { failure: { ...refused, message: describeFailedStep(named) }, steps: named };
}

function noteProxy(through: Through, ms: number | null, problem: ProxyProblem | undefined): void {
  if (ms !== null) through.ms ??= ms;
  if (problem) through.problem ??= problem;
}

/** The failure for a browser that is gone or doesn't answer, which says nothing about the server. */
function asBrowserFailure(error: unknown): { outcome: "failed"; failure: CaptureFailure } {
  if (!(error instanceof CdpError)) throw error;
  return {
    outcome: "failed",
    failure: error.kind === "gone" ? failure("crashed") : failure("timeout", outOfTime),
  };
}

/** The failure if the gateway blocked this document or couldn't reach it, else null. */
function gatewayFailure(tunnel: Tunnel, url: string, seen: Visit): CaptureFailure | null {
  const origin = new URL(url).origin;
  const hasOrigin = (each: { url: string }) => URL.canParse(each.url) && new URL(each.url).origin === origin;
  const blocked = tunnel.blocked.find(hasOrigin);
  if (blocked) {
    const kinds = {
      guard: "guard",
      dns: "dns",
      requests: "too-large",
      bytes: "too-large",
      time: "timeout",
    } as const;
    // The visit knows whether the server or our capture took the time.
    if (blocked.reason === "time" && seen.outcome === "failed" && seen.failure.kind === "timeout")
      return seen.failure;
    return failure(kinds[blocked.reason]);
  }
  // A step that failed by itself has its own reason.
  if (seen.outcome === "failed" && seen.failure.kind === "steps") return null;
  const unreachable = tunnel.failed.find(hasOrigin);
  return unreachable ? failure(unreachable.kind) : null;
}

/**
 * Captures an unchanged body or a file by plain HTTP. Null means that a browser has to capture the page: HTML is a file
 * only if the browser showed none, or if it stopped and the server says that it is a download.
 */
async function captureByHttp(
  deps: AttemptDeps,
  request: CaptureRequest,
  previous: Evidence | null,
  expected: "unknown" | "file" | "download",
): Promise<Outcome | null> {
  const result = await fetchByHttp(deps, request, previous);
  // A page has a higher size limit than a file, so a browser may capture what is too large for plain HTTP.
  if (!result.ok && result.failure.kind === "too-large" && previous?.kind === "html") return null;
  if (!result.ok) return failWith(failure(result.failure.kind));
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
    body: sniffablePart(response.body),
  });
  if (kind === "html" && !(expected === "file" || (expected === "download" && isDownload(response))))
    return null;
  deps.moments?.onSiteDone?.();
  await deps.moments?.beforeBrowser?.();
  const snapshot = await captureFile(deps, response, request.url, kind).catch(asBrowserFailure);
  if ("outcome" in snapshot) return failWith(snapshot.failure);
  return judgeSnapshot(deps, request, previous, snapshot, false);
}

/** Whether a browser shows nothing of a response, but offers to save it. */
function isDownload({ headers, body }: FetchResponse): boolean {
  const disposition = headers.find(([name]) => name === "content-disposition")?.[1] ?? "";
  return body.length === 0 || /^\s*attachment\b/i.test(disposition);
}

async function fetchByHttp(
  deps: AttemptDeps,
  request: CaptureRequest,
  previous: Evidence | null,
): Promise<FetchResult> {
  const { through, http } = deps;
  const result = await http.fetch({ ...httpRequest(deps, request, previous), proxy: through?.proxy });
  const ms = result.ok ? result.response.timing.connect : undefined;
  if (through) noteProxy(through, ms ?? null, result.ok ? undefined : result.failure.proxy);
  return result;
}

function httpRequest(
  { pool }: CaptureDeps,
  { url, headers, ask, browser }: CaptureRequest,
  previous: Evidence | null,
): FetchRequest {
  return {
    url,
    purpose: "page",
    userHeaders: headers ?? [],
    headers: [
      ...(ask?.headers ?? []),
      ...(ask?.contentType ? [["content-type", ask.contentType] satisfies Header] : []),
      ...pool.requestHeaders(browser ?? null),
      ...(previous ? conditions(previous) : []),
    ],
    ...(ask && { method: ask.method }),
    ...(ask?.body !== undefined && { body: ask.body }),
  };
}

async function isUnchanged(previous: Evidence, response: FetchResponse): Promise<boolean> {
  if (response.url !== previous.finalUrl) return false;
  if (response.status === 304) return true;
  const isSame = response.status === 200 && (await sha256(response.body)) === previous.bodySha256;
  return isSame && validatorOf(response.headers) === previous.validator;
}

/** Judges whether a capture shows the page or something else in its place. */
export async function judgeSnapshot(
  { reader }: Pick<CaptureDeps, "reader">,
  request: CaptureRequest,
  previous: Evidence | null,
  snapshot: Snapshot,
  hasPassword: boolean,
): Promise<Outcome> {
  const isHtml = snapshot.kind === "html";
  const { status, headers, title, text, forms, finalUrl, kind, contentType, body } = snapshot;
  const html = snapshot.html.slice(0, maxWallHtml);
  // A truncated document has no validator, because it must never be taken for unchanged later.
  const validator = status === 200 && !snapshot.truncated ? validatorOf(headers) : null;
  const recognized = isHtml
    ? await reader.recognize({
        seen: { status, headers, title, html, text, forms, finalUrl, kind },
        before: previous && { ...previous, hasPasswordNow: hasPassword },
        hasPassword,
        // Without a validator the next check needs a browser anyway, so `needsScript` makes no difference.
        sent: validator === null ? null : { contentType, body },
      })
    : null;
  const wall = recognized?.wall ?? null;
  if (wall !== null)
    return { ok: false, failure: { ...failure("blocked", wall.sentence), wall: wall.kind }, snapshot };
  const evidence: Evidence = {
    requestSha256: await requestHash(request),
    kind: snapshot.kind,
    validator,
    bodySha256: snapshot.truncated ? "" : await sha256(body),
    needsScript: recognized?.needsScript ?? isHtml,
    checksByHttp: 0,
    finalUrl: snapshot.finalUrl,
    hasPassword,
    ...(isHtml && { textLength: textLengthOf(text), textSketch: recognized?.textSketch ?? [] }),
    ...(recognized?.standIn && { standIn: recognized.standIn }),
    ...openingOf(request, snapshot),
  };
  const errorWall = recognized?.errorWall;
  return { ok: true, unchanged: false, snapshot, evidence, ...(errorWall && { errorWall }) };
}

/** How the page was opened: two captures of one page that were opened differently can't be compared. */
function openingOf(
  { browser, pageSteps, session }: CaptureRequest,
  { via, consent }: Snapshot,
): Pick<Evidence, "browser" | "consentRules" | "consent" | "steps" | "identity"> {
  if (via !== "browser") return {};
  const isAnswered = (browser?.consent ?? defaultBrowser.consent) !== "leave";
  return {
    ...(browser && { browser }),
    ...(pageSteps && { steps: hash("sha256", JSON.stringify(pageSteps.steps)) }),
    ...(session?.identityId && { identity: session.identityId }),
    ...(isAnswered && { consentRules: consentRulesVersion }),
    ...(consent && { consent: { rule: consent.rule, action: consent.action, result: consent.result } }),
  };
}

/** Identifies the request that evidence was collected with; another request does not use that evidence. */
export function requestHash(request: CaptureRequest): Promise<string> {
  const { url, headers = [], ask, waitFor, browser, proxies = [], pageSteps, session } = request;
  const ways = proxies.length > 0 ? [proxies.map(({ id }) => id)] : [];
  const options = [
    ...(ask || browser || ways.length > 0 ? [ask ?? null] : []),
    ...(browser || ways.length > 0 ? [browser ?? null] : []),
    ...ways,
    ...(pageSteps ? [{ pageSteps: pageSteps.steps }] : []),
    ...(session ? [{ identity: session.identityId }] : []),
  ];
  return sha256(JSON.stringify([url, headers, waitFor ?? null, ...options]));
}

/** The gateway only sees http and https, so other URLs (file:, data:) must not even be opened (B4). */
function isWebUrl(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? "");
}

/** URLs that end like a file name are fetched by HTTP first; a page that is found there still goes to a browser. */
function isFileName(url: string): boolean {
  const name = URL.parse(url)?.pathname ?? "";
  return /\.(txt|json|xml|rss|atom|js|mjs|css|csv|md|pdf|png|jpe?g|gif|webp|svg|ico|zip|gz|ya?ml|map)$/i.test(
    name,
  );
}

function failWith(reason: CaptureFailure): Outcome & { ok: false } {
  return { ok: false, failure: reason, snapshot: null };
}
