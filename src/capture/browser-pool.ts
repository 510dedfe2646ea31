import pLimit, { type LimitFunction } from "p-limit";
import type { Gateway, Lane } from "#network/egress-gateway.ts";
import { CdpError } from "./browser/cdp-error.ts";
import { findChromium } from "./browser/find-chromium.ts";
import { stageFonts } from "./browser/fonts.ts";
import { identity } from "./browser/identity.ts";
import { Browser, chromiumVersion } from "./browser/launch.ts";
import { MemoryWatch } from "./browser/memory-watch.ts";
import { describeProtection, findProtection } from "./browser/protection.ts";
import { selfTest } from "./browser/self-test.ts";
import { Tab } from "./browser/tab.ts";
import { openWorkspace, reachable } from "./browser/workspace.ts";

type Logger = Record<"info" | "warn", (data: object, message: string) => void>;

export type BrowserPoolOptions = {
  gateway: Gateway;
  logger: Logger;
  /** CHROMIUM_PATH. */
  chromiumPath: string | undefined;
  /** CAPTURE_CONCURRENCY: pages open at once. */
  concurrency: number;
  /** Where the npm browser is unpacked when the system has none. */
  cacheDir: string;
  /** CAPTURE_SANDBOX=off: only for systems that forbid Chromium's own sandbox. */
  sandbox?: boolean;
  /** Captures after which a browser is replaced by a fresh one. */
  recycleAfter?: number;
  /** Requests one capture may make (B5). */
  maxRequests?: number;
  /** Memory one page may use (B5). */
  maxPageBytes?: number;
  /** Memory that the processes may use which all pages of a browser share. */
  maxBrowserBytes?: number;
  /** What the browser may say at once; more ends it. */
  maxMessageBytes?: number;
  /** After this a capture's browser is ended with everything in it (B5). */
  watchdogMs?: number;
  /** After this a self-test's browser is. */
  selfTestMs?: number;
  /** After so long without a capture the browser is let go; the next one starts another. */
  idleMs?: number;
};

export type PoolMetrics = {
  capacity: number;
  active: number;
  waiting: number;
  captures: number;
  launches: number;
  kills: number;
  memoryBytes: number;
};

const limits = {
  bytes: 64 * 1024 * 1024,
  requests: 1_000,
  pageBytes: 1024 ** 3,
  browserBytes: 1.5 * 1024 ** 3,
  recycleAfter: 1_000,
  watchdogMs: 60_000,
  selfTestMs: 20_000,
  openMs: 10_000,
  idleMs: 60_000,
};

const portsPerCapture = 4;

/** A browser of the pool with the captures it is busy with. */
type Running = {
  browser: Browser;
  memory: MemoryWatch;
  busy: number;
  /** Its ports, the longest unused first: what a page still had under way must not arrive at the next one's. */
  ports: number[];
  captures: number;
  retired: boolean;
};

/** Pages in parallel in one long-lived Chromium, one fresh context each. */
export class BrowserPool {
  readonly #options: BrowserPoolOptions;
  readonly #launch: () => Promise<Browser>;
  #closers = new AsyncDisposableStack();
  readonly #inTurn: LimitFunction;
  readonly #all = new Set<Running>();
  #current: Promise<Running> | null = null;
  #closed = false;
  #tooMuchAt = Number.NEGATIVE_INFINITY;
  readonly #watchdogMs: number;
  #idle: NodeJS.Timeout | undefined;
  readonly #version: string;
  /** The program that was found. */
  readonly chromiumPath: string;
  #counts = { captures: 0, launches: 0, kills: 0 };

  private constructor(
    options: BrowserPoolOptions,
    found: { path: string; version: string },
    launch: () => Promise<Browser>,
  ) {
    this.#options = options;
    this.#version = found.version;
    this.chromiumPath = found.path;
    this.#inTurn = pLimit(options.concurrency);
    this.#watchdogMs = options.watchdogMs ?? limits.watchdogMs;
    this.#launch = launch;
  }

  /** Finds a browser, starts it as protected as the system allows, and lets it attack a canary; a hit is an error. */
  static async open(options: BrowserPoolOptions): Promise<BrowserPool> {
    const protection = findProtection();
    const cacheDir = await reachable(options.cacheDir, protection.uid, "/var/cache/watchglass");
    const chromium = await findChromium({ chromiumPath: options.chromiumPath, cacheDir });
    const version = await chromiumVersion(chromium);
    await using closers = new AsyncDisposableStack();
    const { folder } = closers.adopt(await openWorkspace(protection.uid), (workspace) => workspace.close());
    const fontsConf = await stageFonts(folder);
    const { concurrency, sandbox = true } = options;
    const ports = concurrency * portsPerCapture;
    const { maxMessageBytes } = options;
    const settings = { chromium, protection, folder, fontsConf, ports, sandbox, version, maxMessageBytes };
    const launch = () => Browser.launch(settings);
    const pool = new BrowserPool(options, { path: chromium.path, version }, launch);
    closers.defer(() => pool.#endAll());
    const test = async () => {
      const running = await pool.#running();
      // A page whose process somebody ended answers nothing any more.
      return pool.#within(options.selfTestMs ?? limits.selfTestMs, running, selfTest(running.browser));
    };
    // A browser that somebody ended meanwhile says nothing of what it lets out; another does.
    const attempts = await test().catch((error: unknown) => {
      if (!(error instanceof CdpError)) throw error;
      return test();
    });
    const found = { chromium: chromium.path, version, attempts };
    options.logger.info(found, `${describeProtection(protection, sandbox)} Self-test: nothing got out.`);
    pool.#closers = closers.move();
    pool.#letGoLater();
    return pool;
  }

  get metrics(): PoolMetrics {
    const memoryBytes = [...this.#all].reduce((sum, running) => sum + running.memory.totalBytes, 0);
    return {
      capacity: this.#options.concurrency,
      active: this.#inTurn.activeCount,
      waiting: this.#inTurn.pendingCount,
      ...this.#counts,
      memoryBytes,
    };
  }

  /** A page took a browser down with it just now, and may come again. */
  get isWary(): boolean {
    return performance.now() - this.#tooMuchAt < this.#watchdogMs;
  }

  /** What the browser says of itself, for requests made in its place. */
  get requestHeaders(): [string, string][] {
    return [
      ["user-agent", identity(this.#version).userAgent],
      ["accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
      ["accept-language", "en-US"],
    ];
  }

  /**
   * Lends a fresh page with a way out of its own; both are gone afterwards, whatever happened. Alone, it has a browser
   * for itself: what it does there hurts no other.
   */
  withTab<T>(use: (tab: Tab, lane: Lane) => Promise<T>, isAlone = false): Promise<T> {
    const onLane = (running: Running, port: number) => this.#onLane(running, port, use);
    return this.#inTurn(() => this.#lend(onLane, isAlone));
  }

  /** Lends a fresh page that reaches nothing, to show what we already have. */
  withOfflineTab<T>(use: (tab: Tab) => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#lend((running) => this.#inTab(running, null, use)));
  }

  async #lend<T>(use: (running: Running, port: number) => Promise<T>, isAlone = false): Promise<T> {
    const running = isAlone ? await this.#open() : await this.#running();
    if (isAlone) running.retired = true;
    const port = running.ports.shift() ?? 0;
    running.busy += 1;
    running.captures += 1;
    this.#counts.captures += 1;
    try {
      return await this.#within(this.#watchdogMs, running, use(running, port));
    } finally {
      running.ports.push(port);
      running.busy -= 1;
      await this.#retireIfDue(running);
      this.#letGoLater();
    }
  }

  #letGoLater(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#letGo(), this.#options.idleMs ?? limits.idleMs);
    this.#idle.unref();
  }

  async #letGo(): Promise<void> {
    if (this.#closed || this.#inTurn.activeCount > 0) return;
    const running = await this.#current?.catch(() => null);
    // It may have been asked for meanwhile.
    if (!running || this.#inTurn.activeCount > 0) return;
    this.#retire(running);
    await this.#end(running);
  }

  close(): Promise<void> {
    return this.#closers.disposeAsync();
  }

  async #endAll(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#current?.catch(() => {});
    await Promise.all([...this.#all].map((running) => this.#end(running)));
  }

  async #onLane<T>(running: Running, port: number, use: (tab: Tab, lane: Lane) => Promise<T>): Promise<T> {
    const lane = await this.#options.gateway.openLane({
      maxBytes: limits.bytes,
      maxRequests: this.#options.maxRequests ?? limits.requests,
      deadlineMs: this.#watchdogMs,
      server: running.browser.servers[port],
    });
    try {
      return await this.#inTab(running, lane.port, (tab) => use(tab, lane));
    } finally {
      await lane.close();
    }
  }

  async #inTab<T>(running: Running, port: number | null, use: (tab: Tab) => Promise<T>): Promise<T> {
    // A browser whose own processes were killed opens no page any more, and does not say so.
    const tab = await this.#within(limits.openMs, running, Tab.open(running.browser, port));
    try {
      return await use(tab);
    } finally {
      await tab.close().catch(() => {});
    }
  }

  /** Ends the browser of what takes longer than it may. */
  #within<T>(ms: number, running: Running, work: Promise<T>): Promise<T> {
    const watchdog = setTimeout(() => this.#hung(running), ms);
    return work.finally(() => clearTimeout(watchdog));
  }

  #hung(running: Running): void {
    this.#options.logger.warn({ pid: running.browser.pid }, "a page hangs; its browser is ended");
    this.#counts.kills += 1;
    this.#forget(running);
  }

  #running(): Promise<Running> {
    this.#current ??= this.#start();
    return this.#current;
  }

  async #start(): Promise<Running> {
    try {
      return await this.#open();
    } catch (error) {
      this.#current = null;
      throw error;
    }
  }

  async #open(): Promise<Running> {
    if (this.#closed) throw new Error("The browser pool is closed");
    // Whoever kills browsers may hit one that is starting; two in a row are a browser that cannot start.
    const browser = await this.#launch().catch(() => this.#launch());
    this.#counts.launches += 1;
    const { maxPageBytes = limits.pageBytes, maxBrowserBytes = limits.browserBytes } = this.#options;
    const ports = [...browser.servers.keys()];
    const allowed = {
      pageBytes: maxPageBytes,
      browserBytes: maxBrowserBytes,
      pages: () => running.busy,
      onTooMuch: () => this.#tooMuch(running),
    };
    const memory = new MemoryWatch(browser.pid, allowed, this.#options.logger);
    const running: Running = { browser, memory, busy: 0, ports, captures: 0, retired: false };
    this.#all.add(running);
    // A pipe that failed is no way to a browser, whether that ended or still runs.
    browser.pipe.listen("", ({ method }) => void (method === "gone" && this.#forget(running)));
    return running;
  }

  #tooMuch(running: Running): void {
    this.#tooMuchAt = performance.now();
    this.#counts.kills += 1;
    this.#forget(running);
  }

  async #retireIfDue(running: Running): Promise<void> {
    const { recycleAfter = limits.recycleAfter } = this.#options;
    if (!running.retired && (running.captures >= recycleAfter || running.memory.isFat)) this.#retire(running);
    if (running.retired && running.busy === 0) await this.#end(running);
  }

  /** New captures go to a new browser; this one ends with its last capture. */
  #retire(running: Running): void {
    running.retired = true;
    this.#current = null;
  }

  async #end(running: Running): Promise<void> {
    running.memory.stop();
    await running.browser.kill();
    this.#all.delete(running);
  }

  /** Ended, or about to be. */
  #forget(running: Running): void {
    if (!running.retired) this.#retire(running);
    void this.#end(running);
  }
}
