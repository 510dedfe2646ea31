import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { BrowserPool } from "#capture/browser-pool.ts";
import { capture } from "#capture/capture-page.ts";
import { openDetector } from "#checks/detection-threads/open-detector.ts";
import { storeCapture } from "#checks/store-capture.ts";
import type { Snapshot } from "#contract/capture.ts";
import { parseEgressAllow } from "#network/address-rules/egress-allow.ts";
import { startGateway } from "#network/egress-gateway.ts";
import { createGuard } from "#network/guard.ts";
import { createGuardedFetch } from "#network/guarded-fetch.ts";
import type { BlobStore } from "#storage/blobs.ts";
import { openCaptureCache } from "#storage/contents.ts";
import type { Database } from "#storage/database.ts";
import type { Kept } from "#storage/executions.ts";

const capturesPerHistory = Number(process.env.LAYOUTS ?? 3);

/** Captures the first pages of each history and stores each capture twice: as it is, and without its layout. */
export async function keepBothWays(
  deps: { db: Database; blobs: BlobStore },
  histories: string,
  accounts: { whole: string; bare: string },
): Promise<{ captures: number; elements: number }> {
  const server = createServer((request, response) => {
    const file = join(histories, decodeURIComponent(request.url ?? ""));
    const html = file.endsWith(".html") && existsSync(file) ? readFileSync(file) : null;
    response.writeHead(html ? 200 : 404, { "content-type": "text/html; charset=utf-8" }).end(html ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const guard = createGuard({ allow: parseEgressAllow("127.0.0.0/8") });
  const gateway = startGateway({ guard });
  const logger = { debug() {}, info() {}, warn() {} };
  const pool = await BrowserPool.open({
    gateway,
    logger,
    chromiumPath: process.env.CHROMIUM_PATH,
    concurrency: 1,
    cacheDir: "data/browser",
  });
  const reader = openDetector(1);
  let [captures, elements] = [0, 0];
  try {
    for (const name of (await readdir(histories)).sort()) {
      const last: { whole: Kept | null; bare: Kept | null } = { whole: null, bare: null };
      for (let i = 0; i < capturesPerHistory && existsSync(join(histories, name, `${i}.html`)); i++) {
        const url = `http://127.0.0.1:${port}/${name}/${i}.html`;
        const result = await capture({ pool, http: createGuardedFetch(guard), reader }, { url });
        if (!result.ok || result.unchanged || !result.snapshot.layout) continue;
        const { layout, ...bare } = result.snapshot;
        captures++;
        elements += layout.elements;
        const store = (account: string, snapshot: Snapshot, previous: Kept | null) =>
          storeCapture(deps, account, snapshot, previous, openCaptureCache(deps, account));
        last.whole = await store(accounts.whole, result.snapshot, last.whole);
        last.bare = await store(accounts.bare, bare, last.bare);
      }
    }
  } finally {
    await pool.close();
    await gateway.close();
    await reader.close();
    server.close();
  }
  return { captures, elements };
}
