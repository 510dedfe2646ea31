import { randomUUID } from "node:crypto";
import type { CaptureFailure } from "#contract/capture.ts";
import { failure } from "../failures.ts";
import { BodyCollector } from "./body-collector.ts";
import { CdpError } from "./cdp-error.ts";
import { netErrorKind, transferErrorKind } from "./net-error-kind.ts";
import { type Document, NetworkLog } from "./network-log.ts";
import type { CdpEvent, Method, Params, Protocol } from "./protocol.ts";
import { type PageParts, readPage } from "./read-page.ts";
import { call, inPage, type Tab } from "./tab.ts";

export type VisitRequest = {
  url: string;
  /** The user's own headers; they reach the URL's origin and no other (E9). */
  headers: [name: string, value: string][];
  ask?: Ask | undefined;
  waitFor?: WaitFor | undefined;
  /** Hears that the page stands still: it is only read and drawn from here on. */
  atRest?: (() => void) | undefined;
};

/** Who asks, and what is sent with the first request. */
export type Ask = {
  method: "GET" | "POST" | "PUT";
  headers: [name: string, value: string][];
  body?: string;
  contentType?: string;
};

/** What a page needs before it is looked at: an element, some seconds, or both; neither longer than 15 s. */
export type WaitFor = { selector?: string; seconds?: number };

export type Page = PageParts & {
  log: NetworkLog;
  timing: { load: number; ready: number; picture: number };
};

export type Visit =
  | { outcome: "page"; page: Page; at?: string }
  /** Not a page: a file, a download, an empty answer. Plain HTTP takes it better. */
  | { outcome: "not-html"; at?: string }
  /** `at`: the address it failed at, after redirects. */
  | { outcome: "failed"; failure: CaptureFailure; at?: string };

export type VisitLimits = typeof usualLimits;

const usualLimits = {
  // Pages of 15 MB exist and are watched; a comparison of two such takes some seconds and under 1 GB.
  html: 16 * 1024 * 1024,
  redirects: 10,
  answerMs: 30_000,
  loadMs: 10_000,
  // What is asked for at the end of loading may take five seconds to come.
  quietMs: 6_000,
  waitForMs: 15_000,
  rounds: 3,
  imagesMs: 5_000,
  settleMs: 10_000,
  totalMs: 50_000,
  console: 50,
  events: 30_000,
};

const secret = `x-${randomUUID()}`;
const scripts = {
  prelude: inPage("prelude"),
  hasten: inPage("hasten"),
  awaitElement: inPage("await-element"),
};

/** Opens the URL in the tab, waits until it stands still and reads it, always within `totalMs`. */
export async function visit(
  tab: Tab,
  request: VisitRequest,
  limits: Partial<VisitLimits> = {},
): Promise<Visit> {
  const visitor = new Visitor(tab, request, { ...usualLimits, ...limits });
  try {
    return { ...(await visitor.run()), at: visitor.at };
  } finally {
    visitor.stop();
  }
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
  #isAsked = false;
  #events = 0;
  #outcome: Visit | null = null;

  constructor(tab: Tab, request: VisitRequest, limits: VisitLimits) {
    this.#tab = tab;
    this.#request = request;
    this.#limits = limits;
    this.#log = new NetworkLog(() => tab.frameId);
    this.#log.onDocument = (document) => this.#onDocument(document);
    this.#body = new BodyCollector(tab, this.#limits.html);
    this.#stopListening = tab.listen((event) => this.#onEvent(event));
  }

  stop(): void {
    this.#stopListening();
    this.#outcome ??= { outcome: "failed", failure: failure("timeout") };
    this.#wake();
  }

  get at(): string {
    return this.#log.document?.url ?? this.#request.url;
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
    for (let attempt = 0; attempt < 4 && this.#outcome === null && this.#left() > 0; attempt++) {
      if (this.#log.document?.response === null) {
        this.#outcome = { outcome: "failed", failure: failure("timeout") };
        break;
      }
      await this.#ready();
      if (this.#outcome !== null) break;
      const current = this.#log.document;
      const read = this.#read().catch((error: unknown) => {
        // The page went elsewhere while it was read; what it became is read instead.
        const moved = error instanceof CdpError && error.kind === "moved";
        if (!moved && current === this.#log.document) throw error;
        return null;
      });
      const page = await Promise.race([read, this.#until(() => false, this.#left()).then(() => null)]);
      if (page !== null && this.#outcome === null) return page;
    }
    return this.#outcome ?? { outcome: "failed", failure: failure("timeout") };
  }

  async #navigate(): Promise<void> {
    const tab = this.#tab;
    const patienceMs = this.#request.waitFor ? this.#limits.waitForMs : 0;
    const source = call(scripts.prelude, { secret, patienceMs });
    const prepared: Promise<unknown>[] = [
      tab.send("Page.enable"),
      tab.send("Network.enable", { maxTotalBufferSize: 2 ** 26, maxResourceBufferSize: this.#limits.html }),
      tab.send("Inspector.enable"),
      tab.send("Log.enable"),
      tab.send("Network.setBypassServiceWorker", { bypass: true }),
      tab.send("Page.addScriptToEvaluateOnNewDocument", { source }),
    ];
    const { ask } = this.#request;
    if (ask && ask.headers.length > 0) prepared.push(tab.nameAs(ask.headers));
    if (this.#request.headers.length > 0 || ask) {
      const urlPattern = `${new URL(this.#request.url).origin}/*`;
      prepared.push(tab.send("Fetch.enable", { patterns: [{ urlPattern, requestStage: "Request" }] }));
    }
    // The page's process is about to be swapped; what it has not answered by then would be lost.
    await Promise.all(prepared);
    const { errorText } = await tab.send("Page.navigate", { url: this.#request.url });
    if (errorText !== undefined) this.#endBy(errorText);
  }

  #endBy(netError: string): void {
    const hasBegun = (this.#log.document?.response ?? null) !== null;
    const kind = hasBegun ? transferErrorKind(netError) : netErrorKind(netError);
    this.#end(kind === "no-page" ? { outcome: "not-html" } : { outcome: "failed", failure: failure(kind) });
  }

  #onEvent(event: CdpEvent): void {
    this.#log.handle(event);
    if (event.method === "Network.dataReceived") {
      if (this.#body.take(event.params)) this.#end(tooLarge());
    } else if (event.method === "Page.loadEventFired") this.#loaded = true;
    else if (event.method === "Page.javascriptDialogOpening") {
      this.#tell("Page.handleJavaScriptDialog", { accept: false });
    } else if (event.method === "Fetch.requestPaused") this.#withHeaders(event.params);
    else if (event.method === "Inspector.targetCrashed" || event.method === "gone") {
      this.#end({ outcome: "failed", failure: failure("crashed") });
    } else if (event.method === "Log.entryAdded") this.#logged(event.params.entry);
    if (++this.#events > this.#limits.events) this.#end(tooLarge());
    this.#wake();
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
    // What did not arrive whole is no page; ERR_ABORTED is the page's or our own doing.
    if (document.error !== null && document.error !== "net::ERR_ABORTED") {
      return this.#endBy(document.error);
    }
    if (!document.finished) this.#body.follow(document.requestId);
    if (!/^(text\/html|application\/xhtml\+xml)$/i.test(document.response.mimeType)) {
      this.#end({ outcome: "not-html" });
    }
  }

  #end(outcome: Visit): void {
    if (this.#outcome !== null) return;
    this.#outcome = outcome;
    this.#tell("Page.stopLoading");
    this.#wake();
  }

  #tell<M extends Method>(method: M, ...params: Params<M>): void {
    this.#tab.send(method, ...params).catch(() => {});
  }

  #withHeaders(paused: Protocol.Fetch.RequestPausedEvent): void {
    const { requestId, request, resourceType, frameId } = paused;
    const { ask } = this.#request;
    const isOwnOrigin =
      URL.canParse(request.url) && new URL(request.url).origin === new URL(this.#request.url).origin;
    if (!isOwnOrigin) return this.#tell("Fetch.continueRequest", { requestId });
    const isFirst = !this.#isAsked && resourceType === "Document" && frameId === this.#tab.frameId;
    if (isFirst) this.#isAsked = true;
    const sent = isFirst && ask?.body !== undefined ? ask : undefined;
    const type: VisitRequest["headers"] = sent?.contentType ? [["content-type", sent.contentType]] : [];
    const named = this.#request.headers.map(([name]) => name.toLowerCase());
    const ours = [...(ask?.headers ?? []), ...type].filter(([name]) => !named.includes(name));
    const all = [...ours, ...this.#request.headers];
    const own = new Set(all.map(([name]) => name.toLowerCase()));
    const kept = Object.entries(request.headers).filter(([name]) => !own.has(name.toLowerCase()));
    this.#tell("Fetch.continueRequest", {
      requestId,
      headers: [...kept, ...all].map(([name, value]) => ({ name, value })),
      ...(sent && {
        method: sent.method,
        postData: Buffer.from(sent.body ?? "").toString("base64"),
      }),
    });
  }

  #logged({ level, text }: Protocol.Log.LogEntry): void {
    if (level === "error" && this.#consoleErrors.length < this.#limits.console) {
      this.#consoleErrors.push(text.slice(0, 500));
    }
  }

  #left(): number {
    return Math.max(0, this.#started + this.#limits.totalMs - performance.now());
  }

  /** Waits for the condition, the visit's end or the time, whichever is first. */
  async #until(condition: () => boolean, ms: number, everyMs = ms): Promise<void> {
    const end = performance.now() + Math.min(ms, this.#left());
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

  async #ready(): Promise<void> {
    await this.#until(() => this.#loaded, this.#limits.loadMs);
    if (this.#loaded) await this.#quiet();
  }

  async #quiet(): Promise<void> {
    const calm = this.#log.scripts.size === 0 && !this.#body.mentions("<script");
    await this.#until(() => this.#log.isQuiet(performance.now(), calm), this.#limits.quietMs, 25);
  }

  async #read(): Promise<Visit> {
    const load = performance.now() - this.#started;
    const world = await this.#answered(() => this.#tab.ownWorld());
    const refused = await this.#awaitWanted(world);
    if (refused) return { outcome: "failed", failure: refused };
    const seen = await readPage({
      tab: this.#tab,
      world,
      secret,
      textLength: await this.#hasten(world),
      waitMs: Math.min(this.#limits.settleMs, this.#left() / 2),
      // Pictures that kept the page from loading are not waited for twice.
      imagesMs: this.#loaded ? this.#limits.imagesMs : 500,
      maxHtml: this.#limits.html,
      log: this.#log,
      body: this.#body,
      atRest: this.#request.atRest,
    });
    if ("failure" in seen) return { outcome: "failed", failure: seen.failure };
    const consoleErrors = [...seen.consoleErrors, ...this.#consoleErrors].slice(0, this.#limits.console);
    return {
      outcome: "page",
      page: { ...seen, consoleErrors, log: this.#log, timing: { ...seen.timing, load } },
    };
  }

  async #awaitWanted(world: number): Promise<CaptureFailure | null> {
    const { selector, seconds = 0 } = this.#request.waitFor ?? {};
    const { waitForMs } = this.#limits;
    await this.#until(() => false, Math.min(seconds * 1_000, waitForMs));
    if (selector === undefined) return null;
    const wanted = { selector, waitMs: waitForMs };
    const isSelector = await this.#tab.run<boolean>(world, scripts.awaitElement, wanted, waitForMs + 1_000);
    return isSelector ? null : failure("selector", `This is not a CSS selector: ${selector}`);
  }

  /** Has the page do what it put off, as often as that brings more; says how long its text is then. */
  async #hasten(world: number): Promise<number> {
    for (let round = 0; ; round++) {
      type Hastened = { done: number; textLength: number };
      const { done, textLength } = await this.#tab
        .run<Hastened>(world, scripts.hasten, { secret }, 2_000)
        .catch((error: unknown) => {
          // What it put off never ends, and the browser ended it.
          if (error instanceof CdpError && error.kind === "ended") return { done: 0, textLength: 0 };
          throw error;
        });
      if (done === 0 || round === this.#limits.rounds) return textLength;
      // What it now asks the network for is on its way.
      await this.#until(() => false, 50);
      await this.#quiet();
    }
  }

  /** A script that never ends keeps the page from answering; it is ended so that the page can still be seen. */
  async #answered<T>(ask: () => Promise<T>): Promise<T> {
    const first = ask();
    first.catch(() => {});
    const late = Symbol("late");
    const answer = await Promise.race([first, this.#until(() => false, 3_000).then(() => late)]);
    if (answer !== late) return answer as T;
    this.#tell("Runtime.terminateExecution");
    return first;
  }
}

function tooLarge(): Visit {
  return { outcome: "failed", failure: failure("too-large") };
}
