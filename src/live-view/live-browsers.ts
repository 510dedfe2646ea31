import { BrowserPool, type BrowserPoolOptions } from "#capture/browser-pool.ts";
import { type Gateway, startGateway } from "#network/egress-gateway.ts";
import type { Guard, Log } from "#network/guard.ts";

type Options = Pick<BrowserPoolOptions, "chromiumPath" | "sandbox" | "cacheDir"> & {
  guard: Guard;
  logger: Log;
  /** Live views open at once. */
  most: number;
};

/** The longest live view. */
export const totalMs = 15 * 60_000;
const limits = {
  // The browser is killed if a live view doesn't end by itself.
  watchdogMs: totalMs + 60_000,
  maxRequests: 10_000,
  maxBytes: 512 * 1024 * 1024,
};

/** The browsers of this process's live views. Nothing runs until the first one is opened. */
export type LiveBrowsers = {
  hasRoom: () => boolean;
  /** Lends a pool, in which each live view gets a browser of its own, unless its user is `gone` by then. */
  use: (work: (pool: BrowserPool) => Promise<void>, gone: AbortSignal) => Promise<void>;
  close: () => Promise<void>;
};

export function openLiveBrowsers({ guard, most, logger, ...options }: Options): LiveBrowsers {
  let opened: Promise<{ pool: BrowserPool; gateway: Gateway }> | undefined;
  let open = 0;
  async function start() {
    const gateway = startGateway({ guard, logger });
    try {
      return {
        gateway,
        pool: await BrowserPool.open({ ...options, ...limits, logger, gateway, concurrency: most }),
      };
    } catch (error) {
      opened = undefined;
      await gateway.close();
      throw error;
    }
  }
  return {
    hasRoom: () => open < most,
    async use(work, gone) {
      open += 1;
      try {
        opened ??= start();
        const { pool } = await opened;
        if (!gone.aborted) await work(pool);
      } finally {
        open -= 1;
      }
    },
    async close() {
      const running = await opened?.catch(() => undefined);
      await running?.pool.close();
      await running?.gateway.close();
    },
  };
}
