import { randomUUID } from "node:crypto";
import type { CaptureFailure, Snapshot, TextBlock } from "#contract/capture.ts";
import { failure, netErrorKind } from "../failures.ts";
import { BodyCollector } from "./body-collector.ts";
import type { CdpEvent } from "./cdp-pipe.ts";
import { type Document, NetworkLog } from "./network-log.ts";
import { photograph } from "./photograph.ts";
import { call, inPage, type Tab } from "./tab.ts";

export type VisitRequest = {
  url: string;
  /** The user's own headers; they reach the URL's origin and no other (E9). */
  headers: [name: string, value: string][];
  selector: string | null;
  ignore: string[];
};

export type Facts = {
  title: string;
  blocks: TextBlock[];
  links: Snapshot["links"];
  forms: Snapshot["forms"];
  inlineScripts: string[];
  scriptSources: string[];
  hasPassword: boolean;
  elements: number;
  textLength: number;
  width: number;
  height: number;
  truncated: boolean;
};

export type Page = {
  facts: Facts;
  document: Document;
  log: NetworkLog;
  body: Uint8Array;
  html: string;
  scriptBodies: Map<string, string>;
  cookies: Snapshot["cookies"];
  consoleErrors: string[];
  picture: Snapshot["picture"];
  truncated: boolean;
  timing: { load: number; ready: number; picture: number };
};

export type Visit =
  | { outcome: "page"; page: Page; at?: string }
  /** Not a page: a file, a download, an empty answer. Plain HTTP takes it better. */
  | { outcome: "not-html"; at?: string }
  /** `at`: the address it failed at, after redirects. */
  | { outcome: "failed"; failure: CaptureFailure; at?: string };

const limits = {
  html: 10 * 1024 * 1024,
  redirects: 10,
  scrollSteps: 30,
  answerMs: 30_000,
  loadMs: 10_000,
  quietMs: 5_000,
  settleMs: 10_000,
  selectorMs: 1_000,
  totalMs: 50_000,
  blocks: 20_000,
  text: 2_000_000,
  links: 5_000,
  console: 50,
  events: 30_000,
};

const secret = `x-${randomUUID()}`;
const scripts = {
  prelude: call(inPage("prelude"), secret),
  settle: inPage("settle"),
  select: inPage("select"),
  collect: inPage("collect"),
  serialize: inPage("serialize"),
};

/** Opens the URL in the tab, waits until it stands still and reads it, always within `limits.totalMs`. */
export async function visit(tab: Tab, request: VisitRequest): Promise<Visit> {
  const visitor = new Visitor(tab, request);
  try {
    return { ...(await visitor.run()), at: visitor.at };
  } finally {
    visitor.stop();
  }
}

class Visitor {
  readonly #tab: Tab;
  readonly #request: VisitRequest;
  readonly #started = performance.now();
  readonly #log: NetworkLog;
  readonly #body: BodyCollector;
  readonly #consoleErrors: string[] = [];
  readonly #stopListening: () => void;
  readonly #waiters = new Set<() => void>();
  #loaded = false;
  #events = 0;
  #outcome: Visit | null = null;

  constructor(tab: Tab, request: VisitRequest) {
    this.#tab = tab;
    this.#request = request;
    this.#log = new NetworkLog(() => tab.frameId);
    this.#log.onDocument = (document) => this.#onDocument(document);
    this.#body = new BodyCollector(tab, limits.html);
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
      limits.answerMs,
    );
    if (this.#outcome === null) await Promise.race([navigated, this.#until(() => false, limits.answerMs)]);
    for (let attempt = 0; attempt < 4 && this.#outcome === null && this.#left() > 0; attempt++) {
      if (this.#log.document?.response === null) {
        this.#outcome = { outcome: "failed", failure: failure("timeout") };
        break;
      }
      await this.#ready();
      if (this.#outcome !== null) break;
      const current = this.#log.document;
      const read = this.#read().catch((error: Error) => {
        // The page went elsewhere while it was read; what it became is read instead.
        const moved =
          current !== this.#log.document || /context|navigat|inspected target/i.test(error.message);
        if (!moved) throw error;
        return null;
      });
      const page = await Promise.race([read, this.#until(() => false, this.#left()).then(() => null)]);
      if (page !== null && this.#outcome === null) return page;
    }
    return this.#outcome ?? { outcome: "failed", failure: failure("timeout") };
  }

  async #navigate(): Promise<void> {
    const tab = this.#tab;
    const prepared = [
      tab.send("Page.enable"),
      tab.send("Network.enable", { maxTotalBufferSize: 2 ** 26, maxResourceBufferSize: limits.html }),
      tab.send("Inspector.enable"),
      tab.send("Log.enable"),
      tab.send("Network.setBypassServiceWorker", { bypass: true }),
      tab.send("Page.addScriptToEvaluateOnNewDocument", { source: scripts.prelude }),
    ];
    if (this.#request.headers.length > 0) {
      const urlPattern = `${new URL(this.#request.url).origin}/*`;
      prepared.push(tab.send("Fetch.enable", { patterns: [{ urlPattern, requestStage: "Request" }] }));
    }
    // The page's process is about to be swapped; what it has not answered by then would be lost.
    await Promise.all(prepared);
    const { errorText } = await tab.send<{ errorText?: string }>("Page.navigate", { url: this.#request.url });
    if (errorText === undefined) return;
    // Downloads and 204 end a navigation without a page, an error status without a body with Chromium's own.
    const isNoPage = /ERR_ABORTED|ERR_HTTP_RESPONSE_CODE_FAILURE|ERR_INVALID_RESPONSE/.test(errorText);
    this.#end(
      isNoPage ? { outcome: "not-html" } : { outcome: "failed", failure: failure(netErrorKind(errorText)) },
    );
  }

  #onEvent(event: CdpEvent): void {
    const { method, params } = event;
    if (method.startsWith("Network.")) {
      this.#log.handle(event);
      if (method === "Network.dataReceived" && this.#body.take(event)) this.#end(tooLarge());
    } else if (method === "Page.loadEventFired") this.#loaded = true;
    else if (method === "Page.javascriptDialogOpening") {
      this.#tell("Page.handleJavaScriptDialog", { accept: false });
    } else if (method === "Fetch.requestPaused") this.#withHeaders(params);
    else if (method === "Inspector.targetCrashed" || method === "gone") {
      this.#end({ outcome: "failed", failure: failure("crashed") });
    } else if (method === "Log.entryAdded") this.#logged(params.entry as { level: string; text: string });
    if (++this.#events > limits.events) this.#end(tooLarge());
    this.#wake();
  }

  #onDocument(document: Document): void {
    if (document.response === null && !document.finished) {
      this.#loaded = false;
      if (this.#log.redirects.length > limits.redirects) {
        this.#end({ outcome: "failed", failure: failure("redirects") });
      }
      return;
    }
    if (document.response === null) return;
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

  #tell(method: string, params: Record<string, unknown> = {}): void {
    this.#tab.send(method, params).catch(() => {});
  }

  #withHeaders(params: Record<string, unknown>): void {
    const { url, headers } = params.request as { url: string; headers: Record<string, string> };
    const own = new Set(this.#request.headers.map(([name]) => name.toLowerCase()));
    const isOwnOrigin = URL.canParse(url) && new URL(url).origin === new URL(this.#request.url).origin;
    const kept = Object.entries(headers).filter(([name]) => !own.has(name.toLowerCase()));
    const all = [...kept, ...this.#request.headers].map(([name, value]) => ({ name, value }));
    const requestId = params.requestId;
    this.#tell("Fetch.continueRequest", isOwnOrigin ? { requestId, headers: all } : { requestId });
  }

  #logged({ level, text }: { level: string; text: string }): void {
    if (level === "error" && this.#consoleErrors.length < limits.console) {
      this.#consoleErrors.push(text.slice(0, 500));
    }
  }

  #left(): number {
    return Math.max(0, this.#started + limits.totalMs - performance.now());
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
    await this.#until(() => this.#loaded, limits.loadMs);
    if (!this.#loaded) return;
    const calm = this.#log.scripts.size === 0 && !this.#body.mentions("<script");
    await this.#until(() => this.#log.isQuiet(performance.now(), calm), limits.quietMs, 25);
  }

  async #read(): Promise<Visit> {
    const tab = this.#tab;
    const load = performance.now() - this.#started;
    const world = await this.#answered(() => tab.ownWorld());
    const waitMs = Math.min(limits.settleMs, this.#left() / 2);
    const imagesMs = this.#loaded ? 5_000 : 500;
    const wait = { secret, scrollSteps: limits.scrollSteps, waitMs, imagesMs };
    const { errors } = await tab.run<{ errors: string[] }>(world, scripts.settle, wait, waitMs + 1_000);
    const { selector, ignore } = this.#request;
    const isNarrowed = selector !== null || ignore.length > 0;
    const selected = isNarrowed ? await this.#select(world) : { box: null };
    if ("outcome" in selected) return selected;
    const { blocks: maxBlocks, text: maxText, links: maxLinks } = limits;
    const facts = await tab.run<Facts>(world, scripts.collect, { maxBlocks, maxText, maxLinks });
    const ready = performance.now() - this.#started - load;

    const document = this.#log.document;
    if (!document?.response) return { outcome: "failed", failure: failure("protocol") };
    const photographed = performance.now();
    const [shot, serialized, scriptBodies, cookies, body] = await Promise.all([
      photograph(tab, facts, selected.box),
      isNarrowed ? null : this.#html(world, facts),
      this.#scriptBodies(),
      tab.ask<{ cookies: Snapshot["cookies"] }>("Storage.getCookies", { browserContextId: tab.contextId }),
      this.#body.whole(document.requestId),
    ]);
    const picture = performance.now() - photographed;
    const { html, truncated } = serialized ?? (await this.#serialize(world));
    return {
      outcome: "page",
      page: {
        facts,
        document,
        log: this.#log,
        body,
        html,
        scriptBodies,
        cookies: cookies.cookies,
        consoleErrors: [...errors, ...this.#consoleErrors].slice(0, limits.console),
        picture: shot.picture,
        truncated: truncated || shot.truncated || facts.truncated,
        timing: { load, ready, picture },
      },
    };
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

  async #select(world: number): Promise<Visit | { box: Box | null }> {
    const { selector, ignore } = this.#request;
    type Selected = { problem: "invalid" | "none" | null; selector?: string; box: Box | null };
    const found = await this.#tab
      .run<Selected>(world, scripts.select, { selector, ignore }, limits.selectorMs)
      .catch((error: Error) => {
        if (/terminated|timed out/i.test(error.message)) return null;
        throw error;
      });
    if (found?.problem === null) return { box: found.box };
    const sentence = found
      ? found.problem === "none"
        ? `Nothing on the page matches the selector ${found.selector}`
        : `This is not a CSS selector: ${found.selector}`
      : "The selector takes too long on this page";
    return { outcome: "failed", failure: failure("selector", sentence) };
  }

  async #html(world: number, facts: Facts): Promise<{ html: string; truncated: boolean }> {
    // Above this the text alone may pass the limit, and the page cuts it before it crosses the pipe.
    if (facts.textLength > limits.html / 4 || facts.elements > 50_000) return this.#serialize(world);
    const { root } = await this.#tab.send<{ root: { nodeId: number } }>("DOM.getDocument", { depth: 0 });
    const { outerHTML } = await this.#tab.send<{ outerHTML: string }>("DOM.getOuterHTML", {
      nodeId: root.nodeId,
      includeShadowDOM: true,
    });
    return { html: outerHTML.slice(0, limits.html), truncated: outerHTML.length > limits.html };
  }

  #serialize(world: number): Promise<{ html: string; truncated: boolean }> {
    return this.#tab.run(world, scripts.serialize, { maxLength: limits.html });
  }

  async #scriptBodies(): Promise<Map<string, string>> {
    const wanted = [...this.#log.scripts].map(async ([url, requestId]) => {
      const answer = await this.#tab
        .send<{ body: string; base64Encoded: boolean }>("Network.getResponseBody", { requestId })
        .catch(() => null);
      const text = answer?.base64Encoded ? Buffer.from(answer.body, "base64").toString() : answer?.body;
      return [url, text ?? ""] as const;
    });
    return new Map(await Promise.all(wanted));
  }
}

export type Box = { x: number; y: number; width: number; height: number };

function tooLarge(): Visit {
  return { outcome: "failed", failure: failure("too-large") };
}
