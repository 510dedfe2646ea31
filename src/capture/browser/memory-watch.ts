import { getPriority, setPriority } from "node:os";
import { end, type Parents, processTree, threadsOf } from "./process-tree.ts";

const everyMs = 500;
// Most pages take a few hundred milliseconds of a processor. One that takes more gives way to others: first it has half
// of what a page beside it has, then a quarter, then a tenth, since it may burn in several threads at once. Not less:
// where the machine is always busy it would never end.
const givesWay = [
  { fromMs: 5_000, by: 10 },
  { fromMs: 2_000, by: 6 },
  { fromMs: 500, by: 3 },
];

/** What a browser is allowed: for one page, and how many pages there are just now. */
type Allowance = { pageBytes: number; browserBytes: number; pages: () => number; onTooMuch: () => void };

type Logger = { warn: (data: object, message: string) => void };

/**
 * Looks at the browser's processes from outside (B5): ends a page above its limit, the largest where all together are
 * above theirs, the whole browser where its own processes are; notices a browser that only grows.
 */
export class MemoryWatch {
  readonly #timer: NodeJS.Timeout;
  readonly #logger: Logger;
  readonly #allowed: Allowance;
  readonly #parents: Parents = new Map();
  totalBytes = 0;
  #lasting = 0;
  #baseline = 0;
  #looks = 0;

  constructor(root: number, allowed: Allowance, logger: Logger) {
    this.#logger = logger;
    this.#allowed = allowed;
    this.#timer = setInterval(() => this.#look(root), everyMs);
    this.#timer.unref();
  }

  /** What outlives a page (browser, network, display) has doubled since it was warm. */
  get isFat(): boolean {
    return this.#baseline > 0 && this.#lasting > 2 * this.#baseline;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(root: number): void {
    const tree = processTree(root, this.#parents);
    this.totalBytes = tree.reduce((sum, row) => sum + row.rss, 0);
    this.#lasting = tree.reduce((sum, row) => sum + (row.renderer ? 0 : row.rss), 0);
    this.#looks += 1;
    if (this.#looks === 20) this.#baseline = this.#lasting;
    const { pageBytes, browserBytes, pages: pageCount, onTooMuch } = this.#allowed;
    // What a page has others hold for it (blobs, downloads) stands in processes that all pages share.
    if (this.#lasting > browserBytes) {
      this.#logger.warn(
        { pid: root, bytes: this.#lasting },
        "a browser used more memory than it may and was ended",
      );
      return onTooMuch();
    }
    const pages = tree.filter(({ renderer }) => renderer);
    for (const { pid, cpuMs } of pages) {
      const { by = 0 } = givesWay.find(({ fromMs }) => cpuMs > fromMs) ?? {};
      if (by > 0) letOthersBy(root, pid, by);
    }
    let left = this.totalBytes - this.#lasting;
    for (const row of pages.sort((a, b) => b.rss - a.rss)) {
      // A page may have a process for each of its frames.
      if (row.rss <= pageBytes && left <= pageBytes * Math.max(1, pageCount())) break;
      left -= row.rss;
      this.#logger.warn(
        { pid: row.pid, bytes: row.rss },
        "a page used more memory than it may and was ended",
      );
      end(row.pid);
    }
  }
}

/** A page that keeps a processor busy goes behind others, with all its threads: each has a priority of its own. */
function letOthersBy(root: number, pid: number, by: number): void {
  for (const thread of threadsOf(pid)) {
    try {
      setPriority(thread, getPriority(root) + by);
    } catch {
      // Gone meanwhile.
    }
  }
}
