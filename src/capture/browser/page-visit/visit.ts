import { randomUUID } from "node:crypto";
import { type BrowserSettings, defaultBrowser } from "#contract/browser-settings.ts";
import type { CaptureFailure } from "#contract/capture.ts";
import type { RequestMethod } from "#contract/request-method.ts";
import type { AdHosts } from "../../ad-hosts.ts";
import { sketchText } from "../../bot-walls/text-sketch.ts";
import { answerConsent, type ConsentOutcome } from "../../consent-banners/answer-consent.ts";
import { failure, outOfTime } from "../../failures/failures.ts";
import { netErrorKind, transferErrorKind } from "../../failures/net-error-kind.ts";
import type { SessionRequest, SessionResult } from "../../session-jar.ts";
import { CdpError } from "../devtools-protocol/cdp-error.ts";
import type { CdpEvent, Method, Params, Protocol } from "../devtools-protocol/protocol.ts";
import { deviceOf } from "../emulation/devices.ts";
import { emulate } from "../emulation/emulate.ts";
import { runPageSteps, type TakenStep, takePicture } from "../page-steps/run-page-steps.ts";
import type { StepPage, StepsRequest } from "../page-steps/step-page.ts";
import { readJar, restoreJar } from "../session/jar-in-browser.ts";
import { captchaAdvice, describeProof, judgeSignedOut, toBlocks } from "../session/judge-signed-out.ts";
import { call, readPageScript, type Tab } from "../tab.ts";
import { BodyCollector } from "./body-collector.ts";
import { type Document, NetworkLog } from "./network-log.ts";
import { type PageParts, readPage } from "./read-page.ts";

export type VisitRequest = {
  url: string;
  /** The user's own headers, sent only to the URL's origin (E9). */
  headers: [name: string, value: string][];
  ask?: Ask | undefined;
  waitFor?: WaitFor | undefined;
  /** What is done on the page before it is captured. */
  pageSteps?: StepsRequest | null | undefined;
  /** The session in which the page is opened. */
  session?: SessionRequest | null | undefined;
  browser?: BrowserSettings | null;
  /** The hosts of ads, for jobs that don't load them. */
  adHosts?: AdHosts | undefined;
  /** Called when the page has settled: from then on it is only read and drawn. */
  onSettled?: (() => void) | undefined;
};

/** Headers that identify the visitor, and what is sent with the first request. */
export type Ask = {
  method: RequestMethod;
  headers: [name: string, value: string][];
  body?: string;
  contentType?: string;
};

/** What to wait for before a page is captured, none of it longer than 15 s. */
export type WaitFor = {
  /** Until an element matches and is shown. */
  selector?: string;
  /** Until the page shows these words. */
  text?: string;
  /** Until the page has made no request for a second. */
  quiet?: boolean;
  seconds?: number;
};

export type Page = PageParts & {
  log: NetworkLog;
  /** What happened to the consent banner; null if there was none, or if it was to be left. */
  consent: ConsentOutcome | null;
  timing: { load: number; ready: number; picture: number };
};

/** `steps`: what was done on the page, up to the step that failed. */
export type Visit = VisitOutcome & { steps?: TakenStep[]; session?: SessionResult | undefined };

type VisitOutcome =
  | { outcome: "page"; page: Page; at?: string }
  /**
   * Not a page: a file, a download, an empty answer. Plain HTTP captures it better. `isAborted`: the navigation ended
   * without a word about why, as it does for a download, and if a process of the browser is killed.
   */
  | { outcome: "not-html"; isAborted?: boolean; at?: string }
  /** `at`: the URL at which it failed, after redirects. */
  | { outcome: "failed"; failure: CaptureFailure; at?: string };

export type VisitLimits = typeof usualLimits;

/** The time that all steps before a capture may take together. */
export const stepsMs = 60_000;
/** The time that a session may take in addition: putting it into the browser, proving it and reading it. */
export const sessionMs = 20_000;

const usualLimits = {
  // Pages of 15 MB exist and are watched; comparing two of them takes some seconds and less than 1 GB of memory.
  html: 16 * 1024 * 1024,
  redirects: 10,
  answerMs: 30_000,
  loadMs: 10_000,
  // Requests made at the end of loading may take five seconds.
  quietMs: 6_000,
  waitForMs: 15_000,
  rounds: 3,
  imagesMs: 5_000,
  settleMs: 10_000,
  totalMs: 50_000,
  stepsMs,
  stepMs: 15_000,
  firstProofMs: 1_000,
  proofMs: 5_000,
  signInProofMs: 8_000,
  consentMs: 8_000,
  // Some sites load the page again once they have an answer.
  consentAnswers: 2,
  console: 50,
  events: 30_000,
};

type BlockedType = NonNullable<BrowserSettings["block"]>[number];
const blockedTypes = { images: "Image", fonts: "Font", media: "Media" } as const satisfies Record<
  Exclude<BlockedType, "ads">,
  Protocol.Network.ResourceType
>;

const secret = `x-${randomUUID()}`;
const scripts = {
  prelude: readPageScript("prelude"),
  hasten: readPageScript("hasten"),
  awaitElement: readPageScript("await-element"),
  isSignedIn: readPageScript("is-signed-in"),
};

/** Opens the URL in the tab, waits until the page has settled and reads it, always within `totalMs`. */
export async function visit(
  tab: Tab,
  request: VisitRequest,
  limits: Partial<VisitLimits> = {},
): Promise<Visit> {
  const { session } = request;
  if (session) await restoreJar(tab, session.jar);
  const visitor = new Visitor(tab, request, { ...usualLimits, ...limits });
  const visited = async () => {
    try {
      return { ...(await visitor.run()), at: visitor.at, steps: visitor.takenSteps };
    } finally {
      visitor.stop();
    }
  };
  const seen = await visited();
  if (!session) return seen;
  if (seen.outcome !== "page") return { ...seen, session: visitor.session };
  return { ...seen, session: { ...visitor.session, jar: await readJar(tab, session, visitor.shownUrl) } };
}

class Visitor {
  readonly #tab: Tab;
  readonly #request: VisitRequest;
  readonly #limits: VisitLimits;
  readonly #started = performance.now();
  readonly #log: NetworkLog;
  readonly #body: BodyCollector;
  readonly #consoleErrors: string[] = [];
  readonly #stopListening: () => void;
  readonly #waiters = new Set<() => void>();
  #loaded = false;
  #isFirstSent = false;
  #events = 0;
  #consent: ConsentOutcome | null = null;
  #consentAnswers = 0;
  /** The page on which a banner may be answered. */
  #consentUrl: string | null = null;
  #hasGoneBack = false;
  #outcome: Visit | null = null;
  readonly #totalMs: number;
  #viewport: { width: number; height: number } | undefined;
  #hasBegunSteps = false;
  #isStepping = false;
  /** Why the visit ends, found while a step runs: the step is still noted. */
  #endDuringStep: Visit | null = null;
  readonly takenSteps: TakenStep[] = [];
  readonly session: SessionResult = {};
  /** What the page showed where signing in began. */
  #signInLines: string[] = [];

  constructor(tab: Tab, request: VisitRequest, limits: VisitLimits) {
    this.#tab = tab;
    this.#request = request;
    this.#limits = limits;
    this.#totalMs =
      limits.totalMs + (request.pageSteps ? limits.stepsMs : 0) + (request.session ? limits.waitForMs : 0);
    this.#log = new NetworkLog(() => tab.frameId);
    this.#log.onDocument = (document) => this.#onDocument(document);
    this.#body = new BodyCollector(tab, this.#limits.html);
    this.#stopListening = tab.listen((event) => this.#onEvent(event));
  }

  stop(): void {
    this.#stopListening();
    this.#outcome ??= this.#timedOut();
    this.#wake();
  }

  get at(): string {
    return this.#log.document?.url ?? this.#request.url;
  }

  get shownUrl(): string {
    return this.#log.shownUrl ?? this.at;
  }

  async run(): Promise<Visit> {
    const navigated = this.#navigate();
    navigated.catch(() => {});
    await this.#until(
      () => this.#log.document?.response !== null && this.#log.document !== null,
      this.#limits.answerMs,
    );
    if (this.#outcome === null)
      await Promise.race([navigated, this.#until(() => false, this.#limits.answerMs)]);
    for (let attempt = 0; attempt < 5 && this.#outcome === null && this.#remainingMs() > 0; attempt++) {
      if (this.#log.document?.response === null) {
        this.#outcome = this.#timedOut();
        break;
      }
      await this.#waitUntilReady();
      if (this.#outcome !== null) break;
      const current = this.#log.document;
      const read = this.#readPage().catch((error: unknown) => {
        // The page navigated away while it was read; the new page is read instead.
        const moved = error instanceof CdpError && error.kind === "moved";
        if (!moved && current === this.#log.document) throw error;
        return null;
      });
      const page = await Promise.race([read, this.#until(() => false, this.#remainingMs()).then(() => null)]);
      if (page !== null && this.#outcome === null) return page;
    }
    return this.#outcome ?? this.#timedOut();
  }

  /** Blames the server only if it didn't answer. */
  #timedOut(): Visit & { outcome: "failed" } {
    const hasAnswered = Boolean(this.#log.document?.response);
    return { outcome: "failed", failure: failure("timeout", hasAnswered ? outOfTime : undefined) };
  }

  async #navigate(): Promise<void> {
    const tab = this.#tab;
    const { waitFor, pageSteps } = this.#request;
    // What a step or a condition waits for may come by a timer.
    const patienceMs = waitFor || pageSteps ? this.#limits.waitForMs : 0;
    const source = call(scripts.prelude, { secret, patienceMs });
    const prepared: Promise<unknown>[] = [
      tab.send("Page.enable"),
      tab.send("Network.enable", { maxTotalBufferSize: 2 ** 26, maxResourceBufferSize: this.#limits.html }),
      tab.send("Inspector.enable"),
      tab.send("Log.enable"),
      tab.send("Network.setBypassServiceWorker", { bypass: true }),
      tab.send("Page.addScriptToEvaluateOnNewDocument", { source }),
    ];
    const { ask, browser = null } = this.#request;
    prepared.push(emulate(tab, browser));
    const identityHeaders = ask?.headers ?? [];
    if (identityHeaders.length > 0 || browser) prepared.push(tab.setIdentity(identityHeaders, browser));
    const patterns = this.#interceptedRequests();
    if (patterns.length > 0) prepared.push(tab.send("Fetch.enable", { patterns }));
    // Navigation replaces the page's process; commands that it has not answered by then would be lost.
    await Promise.all(prepared);
    const { errorText } = await tab.send("Page.navigate", { url: this.#request.url });
    if (errorText !== undefined) this.#endByNetError(errorText);
  }

  /** The requests that are held until we add headers to them or refuse them. */
  #interceptedRequests(): Protocol.Fetch.RequestPattern[] {
    const { headers, ask, url, adHosts } = this.#request;
    const requestStage = "Request" as const;
    if (adHosts && this.#blocks.includes("ads")) return [{ urlPattern: "*", requestStage }];
    const ownOrigin = { urlPattern: `${new URL(url).origin}/*`, requestStage };
    return [
      ...(headers.length > 0 || ask ? [ownOrigin] : []),
      ...this.#blocks.flatMap((type) =>
        type === "ads" ? [] : [{ resourceType: blockedTypes[type], requestStage }],
      ),
    ];
  }

  #endByNetError(netError: string): void {
    const hasBegun = (this.#log.document?.response ?? null) !== null;
    const kind = hasBegun ? transferErrorKind(netError) : netErrorKind(netError);
    this.#end(
      kind === "no-page"
        ? { outcome: "not-html", isAborted: netError === "net::ERR_ABORTED" }
        : { outcome: "failed", failure: failure(kind) },
    );
  }

  #onEvent(event: CdpEvent): void {
    this.#log.handle(event);
    if (event.method === "Network.dataReceived") {
      if (this.#body.take(event.params)) this.#end(tooLarge());
    } else if (event.method === "Page.loadEventFired") this.#loaded = true;
    else if (event.method === "Page.javascriptDialogOpening") {
      this.#sendUnanswered("Page.handleJavaScriptDialog", { accept: false });
    } else if (event.method === "Page.windowOpen") this.#openHere(event.params);
    else if (event.method === "Fetch.requestPaused") this.#answerPaused(event.params);
    else if (event.method === "Inspector.targetCrashed" || event.method === "gone") {
      this.#end({ outcome: "failed", failure: failure("crashed") });
    } else if (event.method === "Log.entryAdded") this.#onLogEntry(event.params.entry);
    if (++this.#events > this.#limits.events) this.#end(tooLarge());
    this.#wake();
  }

  /** The browser opens no windows; what a step would open in one is shown in the tab instead. */
  #openHere({ url, userGesture }: Protocol.Page.WindowOpenEvent): void {
    if (this.#isStepping && userGesture && /^https?:/.test(url))
      this.#sendUnanswered("Page.navigate", { url });
  }

  #onDocument(document: Document): void {
    if (document.response === null && !document.finished) {
      this.#loaded = false;
      if (this.#log.redirects.length > this.#limits.redirects) {
        this.#end({ outcome: "failed", failure: failure("redirects") });
      }
      return;
    }
    if (document.response === null) return;
    // A document that did not arrive completely is not a page. ERR_ABORTED comes from the page or from us.
    if (document.error !== null && document.error !== "net::ERR_ABORTED") {
      return this.#endByNetError(document.error);
    }
    if (!document.finished) this.#body.follow(document.requestId);
    if (!/^(text\/html|application\/xhtml\+xml)$/i.test(document.response.mimeType)) {
      this.#end({ outcome: "not-html" });
    }
  }

  #end(outcome: Visit): void {
    if (this.#isStepping) {
      this.#endDuringStep ??= outcome;
      return this.#wake();
    }
    if (this.#outcome !== null) return;
    this.#outcome = outcome;
    this.#sendUnanswered("Page.stopLoading");
    this.#wake();
  }

  #sendUnanswered<M extends Method>(method: M, ...params: Params<M>): void {
    this.#tab.send(method, ...params).catch(() => {});
  }

  #answerPaused(paused: Protocol.Fetch.RequestPausedEvent): void {
    const { requestId, resourceType } = paused;
    if (
      this.#blocks.some((type) => (type === "ads" ? this.#isAd(paused) : blockedTypes[type] === resourceType))
    )
      this.#sendUnanswered("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    else this.#continueWithHeaders(paused);
  }

  get #blocks(): readonly BlockedType[] {
    return this.#request.browser?.block ?? defaultBrowser.block;
  }

  /** Whether a request goes to a host of ads; the page itself is always loaded. */
  #isAd({ request, resourceType, frameId }: Protocol.Fetch.RequestPausedEvent): boolean {
    if (resourceType === "Document" && frameId === this.#tab.frameId) return false;
    const host = URL.parse(request.url)?.hostname ?? "";
    return this.#request.adHosts?.blocks(host, URL.parse(this.at)?.hostname ?? "") ?? false;
  }

  #continueWithHeaders(paused: Protocol.Fetch.RequestPausedEvent): void {
    const { requestId, request, resourceType, frameId } = paused;
    const { ask, headers } = this.#request;
    const isOwnOrigin =
      URL.canParse(request.url) && new URL(request.url).origin === new URL(this.#request.url).origin;
    if (!isOwnOrigin || (headers.length === 0 && !ask))
      return this.#sendUnanswered("Fetch.continueRequest", { requestId });
    const isFirst = !this.#isFirstSent && resourceType === "Document" && frameId === this.#tab.frameId;
    if (isFirst) this.#isFirstSent = true;
    const sent = isFirst && ask && ask.method !== "GET" ? ask : undefined;
    const type: VisitRequest["headers"] = sent?.contentType ? [["content-type", sent.contentType]] : [];
    const userHeaderNames = this.#request.headers.map(([name]) => name.toLowerCase());
    const askHeaders = [...(ask?.headers ?? []), ...type].filter(([name]) => !userHeaderNames.includes(name));
    const added = [...askHeaders, ...this.#request.headers];
    const addedNames = new Set(added.map(([name]) => name.toLowerCase()));
    const others = Object.entries(request.headers).filter(([name]) => !addedNames.has(name.toLowerCase()));
    this.#sendUnanswered("Fetch.continueRequest", {
      requestId,
      headers: [...others, ...added].map(([name, value]) => ({ name, value })),
      ...(sent && {
        method: sent.method,
        ...(sent.body !== undefined && { postData: Buffer.from(sent.body).toString("base64") }),
      }),
    });
  }

  #onLogEntry({ level, text }: Protocol.Log.LogEntry): void {
    if (level === "error" && this.#consoleErrors.length < this.#limits.console) {
      this.#consoleErrors.push(text.slice(0, 500));
    }
  }

  #remainingMs(): number {
    return Math.max(0, this.#started + this.#totalMs - performance.now());
  }

  /** Waits for the condition, the end of the visit or the time limit, whichever comes first. */
  async #until(condition: () => boolean, ms: number, everyMs = ms): Promise<void> {
    const end = performance.now() + Math.min(ms, this.#remainingMs());
    while (this.#outcome === null && !condition() && performance.now() < end) {
      await new Promise<void>((resolve) => {
        const go = () => {
          clearTimeout(timer);
          this.#waiters.delete(go);
          resolve();
        };
        const timer = setTimeout(go, Math.max(1, Math.min(everyMs, end - performance.now())));
        this.#waiters.add(go);
      });
    }
  }

  #wake(): void {
    for (const go of this.#waiters) go();
  }

  async #waitUntilReady(): Promise<void> {
    await this.#until(() => this.#loaded, this.#limits.loadMs);
    if (this.#loaded) await this.#waitUntilQuiet();
  }

  async #waitUntilQuiet(): Promise<void> {
    const calm = this.#log.scripts.size === 0 && !this.#body.mentions("<script");
    await this.#until(() => this.#log.isQuiet(performance.now(), calm), this.#limits.quietMs, 25);
  }

  async #readPage(): Promise<Visit | null> {
    const load = performance.now() - this.#started;
    if (await this.#runSteps()) return null;
    const world = await this.#waitForAnswer(() => this.#tab.openIsolatedWorld());
    const refused = await this.#waitForRequested(world);
    if (refused) return { outcome: "failed", failure: refused };
    if (await this.#isSignedOut(world)) return null;
    const textLength = await this.#runDeferred(world);
    if (await this.#goBack()) return null;
    const isAnswered = await this.#answerConsent(world);
    if (isAnswered) await this.#waitUntilQuiet();
    if (await this.#goBack()) return null;
    const seen = await readPage({
      tab: this.#tab,
      world,
      secret,
      textLength: isAnswered ? await this.#runDeferred(world) : textLength,
      waitMs: Math.min(this.#limits.settleMs, this.#remainingMs() / 2),
      // Images that kept the page from loading are not waited for a second time.
      imagesMs: this.#loaded ? this.#limits.imagesMs : 500,
      maxHtml: this.#limits.html,
      log: this.#log,
      body: this.#body,
      scrolls: this.#request.browser?.scroll ?? defaultBrowser.scroll,
      device: { ...deviceOf(this.#request.browser), ...this.#viewport },
      onSettled: this.#request.onSettled,
    });
    if ("failure" in seen) return { outcome: "failed", failure: seen.failure };
    const consoleErrors = [...seen.consoleErrors, ...this.#consoleErrors].slice(0, this.#limits.console);
    return {
      outcome: "page",
      page: {
        ...seen,
        consoleErrors,
        log: this.#log,
        consent: this.#consent,
        timing: { ...seen.timing, load },
      },
    };
  }

  /** Does the steps before the capture, once; returns whether the page has to become ready again after them. */
  async #runSteps(): Promise<boolean> {
    const { pageSteps } = this.#request;
    if (!pageSteps || this.#hasBegunSteps) return false;
    const world = await this.#waitForAnswer(() => this.#tab.openIsolatedWorld());
    await this.#runDeferred(world);
    if (await this.#answerConsent(world)) await this.#waitUntilQuiet();
    if (await this.#goBack()) return true;
    this.#hasBegunSteps = true;
    this.#isStepping = true;
    this.#consentUrl = null;
    if (this.#request.session?.isSignIn) await this.#readSignInPage(world);
    await runPageSteps(this.#stepPage(), pageSteps, {
      allMs: Math.min(this.#limits.stepsMs, this.#remainingMs()),
      oneMs: this.#limits.stepMs,
      taken: this.takenSteps,
    });
    this.#isStepping = false;
    const ended = this.#endDuringStep;
    if (this.takenSteps.some(({ error }) => error !== null)) {
      // A step finds nothing on a page that asks for a sign-in.
      if (
        !this.#request.session?.isSignIn &&
        (await this.#isSignedOut(await this.#tab.openIsolatedWorld(), 0))
      )
        return true;
      const kind = ended?.outcome === "failed" ? ended.failure.kind : "steps";
      const message = describeFailedStep(this.takenSteps) + (await this.#captchaAdvice());
      this.#end({ outcome: "failed", failure: failure(kind, message) });
    } else if (ended) this.#end(ended);
    return true;
  }

  async #readSignInPage(world: number): Promise<void> {
    this.#signInLines = (await this.#lookForProof(world, {}, 0)).lines;
  }

  async #captchaAdvice(): Promise<string> {
    if (!this.#request.session?.isSignIn) return "";
    const { hasCaptcha } = await this.#lookForProof(await this.#tab.openIsolatedWorld(), {}, 0);
    return hasCaptcha ? ` ${captchaAdvice}` : "";
  }

  #lookForProof(world: number, proof: NonNullable<SessionRequest["proof"]>, waitMs: number) {
    type Seen = { proven: boolean; asksForPassword: boolean; hasCaptcha: boolean; lines: string[] };
    return this.#tab.run<Seen>(world, scripts.isSignedIn, { ...proof, waitMs }, waitMs + 2_000);
  }

  /** Ends the visit if the page doesn't show what only somebody who is signed in sees. */
  async #isSignedOut(world: number, waitMs?: number): Promise<boolean> {
    const { session, url } = this.#request;
    if (!session?.proof) return false;
    const { firstProofMs, proofMs, signInProofMs } = this.#limits;
    const began = performance.now();
    const status = this.#log.document?.response?.status ?? 0;
    const isRefused = status === 401 || status === 403;
    const patienceMs = isRefused ? firstProofMs : session.isSignIn ? signInProofMs : proofMs;
    const mostMs = Math.min(waitMs ?? patienceMs, this.#remainingMs());
    let seen = await this.#lookForProof(world, session.proof, Math.min(firstProofMs, mostMs));
    // A form that the page led to shows what it is; anything else may still be loading.
    const hasMoved = withoutQuery(this.shownUrl) !== withoutQuery(url);
    const isForm = hasMoved && seen.asksForPassword && !session.isSignIn;
    if (!seen.proven && !isForm && mostMs > firstProofMs)
      seen = await this.#lookForProof(world, session.proof, mostMs - firstProofMs);
    if (seen.proven && !session.isSignIn) return false;
    const { cookies } = await this.#tab.ask("Storage.getCookies", { browserContextId: this.#tab.contextId });
    const signedOut = seen.proven
      ? null
      : judgeSignedOut(session, {
          status,
          asked: url,
          url: this.shownUrl,
          ...seen,
          cookies: new Set(cookies.map(({ name }) => name)),
        });
    this.takenSteps.push({
      type: "proof",
      text: describeProof(session.proof),
      ms: Math.round(performance.now() - began),
      url: this.shownUrl,
      selector: session.proof.selector ?? null,
      note: null,
      error: signedOut?.reason ?? null,
      picture: await takePicture(this.#stepPage(), this.#request.pageSteps?.secrets ?? new Map()),
    });
    // What all pages of the site show says nothing about a sign-in.
    const onlyThere = this.#signInLines.filter((line) => !seen.lines.includes(line));
    this.session.signInSketch = sketchText(toBlocks(onlyThere));
    if (!signedOut) return false;
    this.session.signedOut = signedOut;
    this.#end({ outcome: "failed", failure: failure("signed-out", signedOut.reason) });
    return true;
  }

  #stepPage(): StepPage {
    const hasEnded = () => this.#endDuringStep !== null;
    return {
      tab: this.#tab,
      url: () => this.shownUrl,
      documentId: () => this.#log.document?.requestId,
      endReason: () => {
        if (this.#endDuringStep?.outcome === "failed") return this.#endDuringStep.failure.message;
        return hasEnded() ? "It leads to a file, and after steps only a page can be captured." : null;
      },
      until: (condition, ms, everyMs) => this.#until(() => hasEnded() || condition(), ms, everyMs),
      untilLoaded: () => this.#until(() => hasEnded() || this.#loaded, this.#limits.loadMs),
      setViewport: ({ width, height }) => {
        this.#viewport = { width, height };
      },
    };
  }

  /** Answers the consent banner as the job wants; returns whether there was one. */
  async #answerConsent(world: number): Promise<boolean> {
    const wanted = this.#request.browser?.consent ?? defaultBrowser.consent;
    if (wanted === "leave") return false;
    const url = this.at;
    const answer = this.#consentAnswers < this.#limits.consentAnswers ? wanted : "hide";
    const budgetMs = Math.min(this.#limits.consentMs, this.#remainingMs() / 3);
    const onMention = () => {
      this.#consentUrl = url;
    };
    const outcome = await answerConsent(this.#tab, world, { answer, url, budgetMs, onMention });
    if (!outcome) this.#consentUrl = null;
    if (!outcome) return false;
    this.#consentAnswers += 1;
    this.#consent = outcome;
    return true;
  }

  /** Returns to the page if an answer to its banner led elsewhere; from then on banners are only hidden. */
  async #goBack(): Promise<boolean> {
    const url = this.#consentUrl;
    if (url === null || this.#hasGoneBack || withoutQuery(url) === withoutQuery(this.at)) return false;
    this.#hasGoneBack = true;
    this.#consentAnswers = this.#limits.consentAnswers;
    await this.#tab.send("Page.navigate", { url });
    return true;
  }

  async #waitForRequested(world: number): Promise<CaptureFailure | null> {
    const { selector, text, quiet = false, seconds = 0 } = this.#request.waitFor ?? {};
    const { waitForMs } = this.#limits;
    await this.#until(() => false, Math.min(seconds * 1_000, waitForMs));
    if (quiet) await this.#until(() => this.#log.isQuiet(performance.now(), false, 1_000), waitForMs, 50);
    if (selector === undefined && text === undefined) return null;
    const wanted = { selector, text, waitMs: waitForMs };
    const isSelector = await this.#tab.run<boolean>(world, scripts.awaitElement, wanted, waitForMs + 1_000);
    return isSelector ? null : failure("selector", `This is not a CSS selector: ${selector}`);
  }

  /** Makes the page run its deferred timers, repeatedly while new ones appear; returns the length of its text. */
  async #runDeferred(world: number): Promise<number> {
    for (let round = 0; ; round++) {
      type Hastened = { done: number; textLength: number };
      const { done, textLength } = await this.#tab
        .run<Hastened>(world, scripts.hasten, { secret }, 2_000)
        .catch((error: unknown) => {
          // A deferred function never ended, and the browser terminated it.
          if (error instanceof CdpError && error.kind === "ended") return { done: 0, textLength: 0 };
          throw error;
        });
      if (done === 0 || round === this.#limits.rounds) return textLength;
      // Give the requests that the page now makes time to start.
      await this.#until(() => false, 50);
      await this.#waitUntilQuiet();
    }
  }

  /** A script that never ends keeps the page from answering, so it is terminated and the page can still be captured. */
  async #waitForAnswer<T>(ask: () => Promise<T>): Promise<T> {
    const first = ask();
    first.catch(() => {});
    const late = Symbol("late");
    const answer = await Promise.race([first, this.#until(() => false, 3_000).then(() => late)]);
    if (answer !== late) return answer as T;
    this.#sendUnanswered("Runtime.terminateExecution");
    return first;
  }
}

/** Names the step that failed, by its number and in words. */
export function describeFailedStep(steps: readonly Pick<TakenStep, "text" | "error">[]): string {
  const at = steps.findIndex(({ error }) => error !== null);
  return `Step ${at + 1} failed (${steps[at]?.text}): ${steps[at]?.error}`;
}

const withoutQuery = (url: string) => url.replace(/[?#].*$/s, "");

function tooLarge(): Visit {
  return { outcome: "failed", failure: failure("too-large") };
}
