import { processTree } from "./process-tree.ts";

const everyMs = 1_000;

type Logger = { warn: (data: object, message: string) => void };

/** Looks at the browser's processes from outside: ends a page above its limit (B5), notices a browser that only grows. */
export class MemoryWatch {
  readonly #timer: NodeJS.Timeout;
  readonly #logger: Logger;
  readonly #maxPageBytes: number;
  totalBytes = 0;
  #lasting = 0;
  #baseline = 0;
  #looks = 0;

  constructor(root: number, maxPageBytes: number, logger: Logger) {
    this.#logger = logger;
    this.#maxPageBytes = maxPageBytes;
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
    const tree = processTree(root);
    this.totalBytes = tree.reduce((sum, row) => sum + row.rss, 0);
    this.#lasting = tree.reduce((sum, row) => sum + (row.renderer ? 0 : row.rss), 0);
    this.#looks += 1;
    if (this.#looks === 10) this.#baseline = this.#lasting;
    for (const row of tree) {
      if (!row.renderer || row.rss <= this.#maxPageBytes) continue;
      this.#logger.warn(
        { pid: row.pid, bytes: row.rss },
        "a page used more memory than it may and was ended",
      );
      try {
        process.kill(row.pid, "SIGKILL");
      } catch {
        // It ended in the meantime.
      }
    }
  }
}
