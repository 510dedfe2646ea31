import { BrowserPool } from "#capture/browser-pool.ts";
import { openDetector } from "#checks/detection-threads/open-detector.ts";
import { parseEgressAllow } from "#network/address-rules/egress-allow.ts";
import { startGateway } from "#network/egress-gateway.ts";
import { createGuard, type GuardOptions } from "#network/guard.ts";
import { createGuardedFetch } from "#network/guarded-fetch.ts";

const quiet = { debug() {}, info() {}, warn: (_data: object, message: string) => console.log(message) };

/** Everything that a capture needs, including its own browser. */
export async function openCapturer(width: number, options: Partial<GuardOptions> = {}) {
  const guard = createGuard({ allow: parseEgressAllow("127.0.0.0/8"), ...options });
  const gateway = startGateway({ guard });
  const http = createGuardedFetch(guard);
  const pool = await BrowserPool.open({
    gateway,
    logger: quiet,
    chromiumPath: process.env.CHROMIUM_PATH,
    concurrency: width,
    cacheDir: "data/browser",
  });
  const reader = openDetector(width);
  return {
    gateway,
    deps: { pool, http, reader },
    async [Symbol.asyncDispose]() {
      await pool.close();
      await Promise.all([http.close(), reader.close()]);
      await gateway.close();
    },
  };
}
