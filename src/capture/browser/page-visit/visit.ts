import { randomUUID } from "node:crypto";
import { defaultBrowser } from "#contract/browser-settings.ts";
import { failure, outOfTime } from "../../failures/failures.ts";
import { netErrorKind, transferErrorKind } from "../../failures/net-error-kind.ts";
import type { SessionResult } from "../../session-jar.ts";
import { CdpError } from "../devtools-protocol/cdp-error.ts";
import type { CdpEvent, Method, Params, Protocol } from "../devtools-protocol/protocol.ts";
import { deviceOf } from "../emulation/devices.ts";
import { emulate } from "../emulation/emulate.ts";
import { describeFailedStep, runPageSteps, type TakenStep } from "../page-steps/run-page-steps.ts";
import type { StepPage } from "../page-steps/step-page.ts";
import { readJar, restoreJar } from "../session/jar-in-browser.ts";
import { call, readPageScript, type Tab } from "../tab.ts";
import { BannerAnswers } from "./answer-banners.ts";
import { awaitRequested, runDeferred } from "./await-content.ts";
import { BodyCollector } from "./body-collector.ts";
import { SessionCheck } from "./check-session.ts";
import { RequestInterceptor } from "./intercept-requests.ts";
import { type Document, NetworkLog } from "./network-log.ts";
import { readPage } from "./read-page.ts";
import { usualLimits, type Visit, type VisitLimits, type VisitRequest } from "./visit-request.ts";

const secret = `x-${randomUUID()}`;
const prelude = readPageScript("prelude");

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
  readonly #interceptor: RequestInterceptor;
  readonly #session: SessionCheck;
  readonly #banners: BannerAnswers;
  readonly #body: BodyCollector;
  readonly #consoleErrors: string[] = [];
  readonly #stopListening: () => void;
  readonly #waiters = new Set<() => void>();
  #loaded = false;
  #events = 0;
  #outcome: Visit | null = null;
  readonly #totalMs: number;
  #viewport: { width: number; height: number } | undefined;
  #hasBegunSteps = false;
  #isStepping = false;
  /** Why the visit ends, found while a step runs: the step is still noted. */
  #endDuringStep: Visit | null = null;
  readonly takenSteps: TakenStep[] = [];

  constructor(tab: Tab, request: VisitRequest, limits: VisitLimits) {
    this.#tab = tab;
    this.#request = request;
    this.#limits = limits;
    this.#interceptor = new RequestInterceptor(tab, request);
    this.#session = new SessionCheck(tab, request, limits);
    this.#banners = new BannerAnswers(tab, request, limits);
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

  get session(): SessionResult {
    return this.#session.result;
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
    const source = call(prelude, { secret, patienceMs });
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
    const { patterns } = this.#interceptor;
    if (patterns.length > 0) prepared.push(tab.send("Fetch.enable", { patterns }));
    // Navigation replaces the page's process; commands that it has not answered by then would be lost.
    await Promise.all(prepared);
    const { errorText } = await tab.send("Page.navigate", { url: this.#request.url });
    if (errorText !== undefined) this.#endByNetError(errorText);
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
    else if (event.method === "Fetch.requestPaused") this.#interceptor.answer(event.params, this.at);
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

  get #waiting() {
    const waits = {
      until: (...wanted: [condition: () => boolean, ms: number, everyMs?: number]) => this.#until(...wanted),
      isQuiet: (ms: number) => this.#log.isQuiet(performance.now(), false, ms),
      untilQuiet: () => this.#waitUntilQuiet(),
    };
    return { waits, limits: this.#limits };
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
    const refused = await awaitRequested(this.#tab, world, {
      ...this.#waiting,
      waitFor: this.#request.waitFor,
    });
    if (refused) return { outcome: "failed", failure: refused };
    if (await this.#isSignedOut(world)) return null;
    const textLength = await runDeferred(this.#tab, world, { ...this.#waiting, secret });
    if (await this.#banners.goBack(this.at)) return null;
    const isAnswered = await this.#banners.answer(world, this.at, this.#remainingMs());
    if (isAnswered) await this.#waitUntilQuiet();
    if (await this.#banners.goBack(this.at)) return null;
    const seen = await readPage({
      tab: this.#tab,
      world,
      secret,
      textLength: isAnswered ? await runDeferred(this.#tab, world, { ...this.#waiting, secret }) : textLength,
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
        consent: this.#banners.outcome,
        timing: { ...seen.timing, load },
      },
    };
  }

  /** Does the steps before the capture, once; returns whether the page has to become ready again after them. */
  async #runSteps(): Promise<boolean> {
    const { pageSteps } = this.#request;
    if (!pageSteps || this.#hasBegunSteps) return false;
    const world = await this.#waitForAnswer(() => this.#tab.openIsolatedWorld());
    await runDeferred(this.#tab, world, { ...this.#waiting, secret });
    if (await this.#banners.answer(world, this.at, this.#remainingMs())) await this.#waitUntilQuiet();
    if (await this.#banners.goBack(this.at)) return true;
    this.#hasBegunSteps = true;
    this.#isStepping = true;
    this.#banners.forgetPage();
    if (this.#request.session?.isSignIn) await this.#session.readSignInPage(world, this.#stepPage());
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
      const message = describeFailedStep(this.takenSteps) + (await this.#session.captchaAdvice());
      this.#end({ outcome: "failed", failure: failure(kind, message) });
    } else if (ended) this.#end(ended);
    return true;
  }

  /** Ends the visit if the page doesn't show what only somebody who is signed in sees. */
  async #isSignedOut(world: number, waitMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    const step = await this.#session.look(world, {
      page: this.#stepPage(),
      status: this.#log.document?.response?.status ?? 0,
      mostMs: Math.min(waitMs, this.#remainingMs()),
    });
    if (step) this.takenSteps.push(step);
    const { signedOut } = this.session;
    if (!signedOut) return false;
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

function tooLarge(): Visit {
  return { outcome: "failed", failure: failure("too-large") };
}
