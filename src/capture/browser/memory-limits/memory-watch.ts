import { getPriority, setPriority } from "node:os";
import { end, type Parents, processTree, threadsOf } from "./process-tree.ts";

const everyMs = 500;
// Most pages use a few hundred milliseconds of CPU time. A page that uses more gets a higher nice value, so that it has
// half the CPU share of another page, then a quarter, then a tenth, since it may run several threads at once. Not less:
// on a machine that is always busy, it would never finish.
const niceSteps = [
  { fromMs: 5_000, nice: 10 },
  { fromMs: 2_000, nice: 6 },
  { fromMs: 500, nice: 3 },
];

/** A browser's memory limits, per page and for its shared processes, and how many pages are open now. */
type Allowance = {
  pageBytes: number;
  browserBytes: number;
  pages: () => number;
  onMemoryExceeded: () => void;
};

type Logger = { warn: (data: object, message: string) => void };

/**
 * Watches the browser's processes from outside (B5). It kills a page above its limit, the largest pages if all together
 * are above theirs, and the whole browser if its shared processes are above theirs; it detects a browser that grows.
 */
export class MemoryWatch {
  readonly #timer: NodeJS.Timeout;
  readonly #logger: Logger;
  readonly #allowed: Allowance;
  readonly #parents: Parents = new Map();
  totalBytes = 0;
  #sharedBytes = 0;
  #warmBytes = 0;
  #samples = 0;

  constructor(root: number, allowed: Allowance, logger: Logger) {
    this.#logger = logger;
    this.#allowed = allowed;
    this.#timer = setInterval(() => this.#sample(root), everyMs);
    this.#timer.unref();
  }

  /** Whether the processes that outlive a page (browser, network, display) have doubled since the browser warmed up. */
  get hasMemoryDoubled(): boolean {
    return this.#warmBytes > 0 && this.#sharedBytes > 2 * this.#warmBytes;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sample(root: number): void {
    const tree = processTree(root, this.#parents);
    this.totalBytes = tree.reduce((sum, row) => sum + row.rss, 0);
    this.#sharedBytes = tree.reduce((sum, row) => sum + (row.renderer ? 0 : row.rss), 0);
    this.#samples += 1;
    if (this.#samples === 20) this.#warmBytes = this.#sharedBytes;
    const { pageBytes, browserBytes, pages: pageCount, onMemoryExceeded } = this.#allowed;
    // Data that other processes hold for a page (blobs, downloads) is in processes that all pages share.
    if (this.#sharedBytes > browserBytes) {
      this.#logger.warn(
        { pid: root, bytes: this.#sharedBytes },
        "a browser exceeded its memory limit and was killed",
      );
      return onMemoryExceeded();
    }
    const pages = tree.filter(({ renderer }) => renderer);
    for (const { pid, cpuMs } of pages) {
      const { nice = 0 } = niceSteps.find(({ fromMs }) => cpuMs > fromMs) ?? {};
      if (nice > 0) lowerPriority(root, pid, nice);
    }
    let pagesBytes = this.totalBytes - this.#sharedBytes;
    for (const row of pages.sort((a, b) => b.rss - a.rss)) {
      // A page may have a process for each of its frames.
      if (row.rss <= pageBytes && pagesBytes <= pageBytes * Math.max(1, pageCount())) break;
      pagesBytes -= row.rss;
      this.#logger.warn({ pid: row.pid, bytes: row.rss }, "a page exceeded its memory limit and was killed");
      end(row.pid);
    }
  }
}

/** Lowers the priority of all threads of a busy page's process; each thread has a priority of its own. */
function lowerPriority(root: number, pid: number, nice: number): void {
  for (const thread of threadsOf(pid)) {
    try {
      setPriority(thread, getPriority(root) + nice);
    } catch {
      // The thread has ended in the meantime.
    }
  }
}
