import pLimit, { type LimitFunction } from "p-limit";
import type { BrowserSettings } from "#contract/browser-settings.ts";
import type { Gateway, Tunnel } from "#network/egress-gateway.ts";
import type { PageProxy } from "#network/proxy.ts";
import { CdpError } from "./browser/devtools-protocol/cdp-error.ts";
import { requestHeadersOf } from "./browser/emulation/identity.ts";
import { findChromium } from "./browser/find-chromium.ts";
import { stageFonts } from "./browser/fonts.ts";
import { Browser, chromiumVersion } from "./browser/launch.ts";
import { MemoryWatch } from "./browser/memory-limits/memory-watch.ts";
import { describeProtection, findProtection } from "./browser/sandbox/protection.ts";
import { selfTest } from "./browser/sandbox/self-test.ts";
import { Tab } from "./browser/tab.ts";
import { openWorkspace, reachable } from "./browser/workspace.ts";
import { BrowserProblem } from "./browser-problem.ts";

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
  /** Bytes one capture may load. */
  maxBytes?: number;
  /** Memory one page may use (B5). */
  maxPageBytes?: number;
  /** Memory that the processes shared by all pages of a browser may use. */
  maxBrowserBytes?: number;
  /** Largest DevTools message; a browser that sends a larger one is killed. */
  maxMessageBytes?: number;
  /** A capture that takes longer than this has its browser killed, with everything in it (B5). */
  watchdogMs?: number;
  /** A browser that has been idle for this long is closed; the next capture starts a new one. */
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
  selfTestMs: 60_000,
  openMs: 10_000,
  idleMs: 60_000,
};

const portsPerCapture = 4;

/** A running browser of the pool and how it is used. */
type PooledBrowser = {
  browser: Browser;
  memory: MemoryWatch;
  busy: number;
  /**
   * Indexes of its `servers`, least recently used first: requests still pending from a closed page must not reach the
   * tunnel of the next page.
   */
  ports: number[];
  captures: number;
  retired: boolean;
};

/** Opens pages in parallel in one long-lived Chromium, each in a fresh browser context. */
export class BrowserPool {
  readonly #options: BrowserPoolOptions;
  readonly #launch: () => Promise<Browser>;
  #closers = new AsyncDisposableStack();
  readonly #limiter: LimitFunction;
  readonly #browsers = new Set<PooledBrowser>();
  #current: Promise<PooledBrowser> | null = null;
  #closed = false;
  #memoryKillAt = Number.NEGATIVE_INFINITY;
  readonly #watchdogMs: number;
  #idleTimer: NodeJS.Timeout | undefined;
  readonly #version: string;
  /** The Chromium program in use. */
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
    this.#limiter = pLimit(options.concurrency);
    this.#watchdogMs = options.watchdogMs ?? limits.watchdogMs;
    this.#launch = launch;
  }

  /**
   * Finds a browser, starts it with the strongest protection the system allows and runs the self-test; throws a
   * `BrowserProblem` if it doesn't start or if the attacking page reaches the canary.
   */
  static async open(options: BrowserPoolOptions): Promise<BrowserPool> {
    const protection = findProtection();
    const cacheDir = await reachable(options.cacheDir, protection.uid, "/var/cache/watchglass");
    const chromium = await findChromium({ chromiumPath: options.chromiumPath, cacheDir });
    const version = await chromiumVersion(chromium).catch((error: Error) => {
      throw new BrowserProblem(`Chromium doesn’t start: ${error.message.trim().split("\n").at(-1)}`, {
        cause: error,
      });
    });
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
      const pooled = await pool.#currentBrowser();
      return pool.#withWatchdog(limits.selfTestMs, pooled, selfTest(pooled.browser));
    };
    // A page or browser that was killed during the test proves nothing about containment, so it runs again.
    const attempts = await test()
      .catch((error: unknown) => {
        if (!(error instanceof CdpError)) throw error;
        options.logger.warn({ reason: error.message }, "the browser's self-test broke off; it runs again");
        return test();
      })
      .catch((error: Error) => {
        throw error instanceof BrowserProblem ? error : new BrowserProblem(error.message, { cause: error });
      });
    const found = { chromium: chromium.path, version, attempts };
    options.logger.info(found, `${describeProtection(protection, sandbox)} Self-test: nothing got out.`);
    pool.#closers = closers.move();
    pool.#closeWhenIdle();
    return pool;
  }

  get metrics(): PoolMetrics {
    const memoryBytes = [...this.#browsers].reduce((sum, pooled) => sum + pooled.memory.totalBytes, 0);
    return {
      capacity: this.#options.concurrency,
      active: this.#limiter.activeCount,
      waiting: this.#limiter.pendingCount,
      ...this.#counts,
      memoryBytes,
    };
  }

  /** Whether a browser was killed recently for its memory use; the page that caused it may be captured again. */
  get hasRecentMemoryKill(): boolean {
    return performance.now() - this.#memoryKillAt < this.#watchdogMs;
  }

  /** The browser's request headers, for plain HTTP requests made instead of it. */
  requestHeaders(settings: BrowserSettings | null): [string, string][] {
    return requestHeadersOf(this.#version, settings);
  }

  /**
   * Lends a fresh page with a tunnel of its own and closes both afterwards, whatever happens. With `isAlone` the page
   * gets a browser of its own, so that it can't harm other pages. With a proxy, all its requests go through that.
   * `moreMs` is the time that the capture may take in addition to the usual limit.
   */
  withTab<T>(
    use: (tab: Tab, tunnel: Tunnel) => Promise<T>,
    isAlone = false,
    proxy?: PageProxy,
    moreMs = 0,
  ): Promise<T> {
    const limitMs = this.#watchdogMs + moreMs;
    const runInTunnel = (pooled: PooledBrowser, port: number) =>
      this.#runInTunnel(pooled, port, use, { proxy, limitMs });
    return this.#limiter(() => this.#lend(runInTunnel, isAlone, limitMs));
  }

  /** Lends a fresh page without network access, to draw content that was already downloaded. */
  withOfflineTab<T>(use: (tab: Tab) => Promise<T>): Promise<T> {
    return this.#limiter(() => this.#lend((pooled) => this.#runInTab(pooled, null, use)));
  }

  async #lend<T>(
    use: (pooled: PooledBrowser, port: number) => Promise<T>,
    isAlone = false,
    limitMs = this.#watchdogMs,
  ): Promise<T> {
    const pooled = isAlone ? await this.#open() : await this.#currentBrowser();
    if (isAlone) pooled.retired = true;
    const port = pooled.ports.shift() ?? 0;
    pooled.busy += 1;
    pooled.captures += 1;
    this.#counts.captures += 1;
    try {
      return await this.#withWatchdog(limitMs, pooled, use(pooled, port));
    } finally {
      pooled.ports.push(port);
      pooled.busy -= 1;
      await this.#retireIfDue(pooled);
      this.#closeWhenIdle();
    }
  }

  #closeWhenIdle(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => void this.#closeIfIdle(), this.#options.idleMs ?? limits.idleMs);
    this.#idleTimer.unref();
  }

  async #closeIfIdle(): Promise<void> {
    if (this.#closed || this.#limiter.activeCount > 0) return;
    const pooled = await this.#current?.catch(() => null);
    // A capture may have started in the meantime.
    if (!pooled || this.#limiter.activeCount > 0) return;
    this.#retire(pooled);
    await this.#end(pooled);
  }

  close(): Promise<void> {
    return this.#closers.disposeAsync();
  }

  async #endAll(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idleTimer);
    await this.#current?.catch(() => {});
    await Promise.all([...this.#browsers].map((pooled) => this.#end(pooled)));
  }

  async #runInTunnel<T>(
    pooled: PooledBrowser,
    port: number,
    use: (tab: Tab, tunnel: Tunnel) => Promise<T>,
    { proxy, limitMs }: { proxy: PageProxy | undefined; limitMs: number },
  ): Promise<T> {
    const tunnel = await this.#options.gateway.openTunnel({
      maxBytes: this.#options.maxBytes ?? limits.bytes,
      maxRequests: this.#options.maxRequests ?? limits.requests,
      deadlineMs: limitMs,
      server: pooled.browser.servers[port],
      proxy,
    });
    try {
      return await this.#runInTab(pooled, tunnel.port, (tab) => use(tab, tunnel));
    } finally {
      await tunnel.close();
    }
  }

  async #runInTab<T>(pooled: PooledBrowser, port: number | null, use: (tab: Tab) => Promise<T>): Promise<T> {
    // A browser whose own processes were killed opens no more pages and doesn't report it.
    const tab = await this.#withWatchdog(limits.openMs, pooled, Tab.open(pooled.browser, port));
    try {
      return await use(tab);
    } finally {
      await tab.close().catch(() => {});
    }
  }

  /** Kills the browser if the work takes longer than `ms`. */
  #withWatchdog<T>(ms: number, pooled: PooledBrowser, work: Promise<T>): Promise<T> {
    const watchdog = setTimeout(() => this.#killHung(pooled), ms);
    return work.finally(() => clearTimeout(watchdog));
  }

  #killHung(pooled: PooledBrowser): void {
    this.#options.logger.warn({ pid: pooled.browser.pid }, "a page hangs; its browser is ended");
    this.#counts.kills += 1;
    this.#discard(pooled);
  }

  #currentBrowser(): Promise<PooledBrowser> {
    this.#current ??= this.#start();
    return this.#current;
  }

  async #start(): Promise<PooledBrowser> {
    try {
      return await this.#open();
    } catch (error) {
      this.#current = null;
      throw error;
    }
  }

  async #open(): Promise<PooledBrowser> {
    if (this.#closed) throw new Error("The browser pool is closed");
    // A starting browser may be killed from outside, so retry once; two failures in a row mean that it can't start.
    const browser = await this.#launch().catch(() => this.#launch());
    this.#counts.launches += 1;
    const { maxPageBytes = limits.pageBytes, maxBrowserBytes = limits.browserBytes } = this.#options;
    const ports = [...browser.servers.keys()];
    const allowed = {
      pageBytes: maxPageBytes,
      browserBytes: maxBrowserBytes,
      pages: () => pooled.busy,
      onMemoryExceeded: () => this.#killOversized(pooled),
    };
    const memory = new MemoryWatch(browser.pid, allowed, this.#options.logger);
    const pooled: PooledBrowser = { browser, memory, busy: 0, ports, captures: 0, retired: false };
    this.#browsers.add(pooled);
    // A browser whose pipe failed can't be controlled, whether it has ended or still runs.
    browser.pipe.listen("", ({ method }) => void (method === "gone" && this.#discard(pooled)));
    return pooled;
  }

  #killOversized(pooled: PooledBrowser): void {
    this.#memoryKillAt = performance.now();
    this.#counts.kills += 1;
    this.#discard(pooled);
  }

  async #retireIfDue(pooled: PooledBrowser): Promise<void> {
    const { recycleAfter = limits.recycleAfter } = this.#options;
    if (!pooled.retired && (pooled.captures >= recycleAfter || pooled.memory.hasMemoryDoubled))
      this.#retire(pooled);
    if (pooled.retired && pooled.busy === 0) await this.#end(pooled);
  }

  /** New captures go to a new browser; this one ends with its last capture. */
  #retire(pooled: PooledBrowser): void {
    pooled.retired = true;
    this.#current = null;
  }

  async #end(pooled: PooledBrowser): Promise<void> {
    pooled.memory.stop();
    await pooled.browser.kill();
    this.#browsers.delete(pooled);
  }

  /** Takes a browser that has ended, or must be killed, out of the pool. */
  #discard(pooled: PooledBrowser): void {
    if (!pooled.retired) this.#retire(pooled);
    void this.#end(pooled);
  }
}
