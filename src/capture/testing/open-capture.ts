import { type OpenDetector, openDetector } from "#checks/open-detector.ts";
import { parseEgressAllow } from "#network/egress-allow.ts";
import { startGateway } from "#network/egress-gateway.ts";
import { createGuard } from "#network/guard.ts";
import { createGuardedFetch } from "#network/guarded-fetch.ts";
import { BrowserPool, type BrowserPoolOptions } from "../browser-pool.ts";
import {
  type CaptureDeps,
  type CaptureRequest,
  type CaptureResult,
  capture,
  type Moments,
} from "../capture-page.ts";
import { startZoo, type Zoo } from "./zoo.ts";

export type TestCapture = {
  zoo: Zoo;
  pool: BrowserPool;
  deps: CaptureDeps;
  logs: string[];
  capture(path: string, request?: Partial<CaptureRequest>, moments?: Moments): Promise<CaptureResult>;
  close(): Promise<void>;
};

let shared: OpenDetector | undefined;
/** The thread that reads for every capture of a worker: it costs half as much as a browser, and ends with the worker. */
function sharedReader(): OpenDetector {
  shared ??= openDetector(1);
  return shared;
}

/** The whole capture behind a guard that knows the zoo and nothing else. */
export async function openCapture(
  options: Partial<BrowserPoolOptions> = {},
  limits: CaptureDeps["limits"] = {},
): Promise<TestCapture> {
  await using closers = new AsyncDisposableStack();
  const zoo = closers.adopt(await startZoo(), (opened) => opened.close());
  const logs: string[] = [];
  const log = (_data: object, message: string) => void logs.push(message);
  const resolve = async (name: string) => (name.endsWith(".test") ? ["127.0.0.1"] : []);
  const guard = createGuard({ allow: parseEgressAllow(zoo.allow), resolve });
  const http = closers.adopt(createGuardedFetch(guard), (opened) => opened.close());
  const gateway = closers.adopt(startGateway({ guard }), (opened) => opened.close());
  const pool = closers.adopt(
    await BrowserPool.open({
      gateway,
      logger: { info: log, warn: log },
      chromiumPath: undefined,
      concurrency: 2,
      cacheDir: "data/browser",
      ...options,
    }),
    (opened) => opened.close(),
  );
  const opened = closers.move();
  const deps = { pool, http, reader: sharedReader(), limits };
  return {
    zoo,
    pool,
    deps,
    logs,
    capture: (path, request, moments) =>
      capture({ ...deps, moments }, { url: new URL(path, zoo.origin).href, ...request }),
    close: () => opened.disposeAsync(),
  };
}
