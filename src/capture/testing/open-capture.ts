import { type OpenDetector, openDetector } from "#checks/detection-threads/open-detector.ts";
import { parseEgressAllow } from "#network/address-rules/egress-allow.ts";
import { startGateway } from "#network/egress-gateway.ts";
import { createGuard } from "#network/guard.ts";
import { createGuardedFetch } from "#network/guarded-fetch.ts";
import { BrowserPool, type BrowserPoolOptions } from "../browser-pool.ts";
import {
  type CaptureCallbacks,
  type CaptureDeps,
  type CaptureRequest,
  type CaptureResult,
  capture,
} from "../capture-page.ts";
import { startZoo, type Zoo } from "./zoo.ts";

export type TestCapture = {
  zoo: Zoo;
  pool: BrowserPool;
  deps: CaptureDeps;
  logs: string[];
  capture(
    path: string,
    request?: Partial<CaptureRequest>,
    moments?: CaptureCallbacks,
  ): Promise<CaptureResult>;
  close(): Promise<void>;
};

let shared: OpenDetector | undefined;
/** One reader thread for all captures of a test worker: it costs half as much as a browser and ends with the worker. */
function sharedReader(): OpenDetector {
  shared ??= openDetector(1);
  return shared;
}

/** Opens everything that a capture needs, behind a guard that allows only the zoo, and these ports of this machine. */
export async function openCapture(
  options: Partial<BrowserPoolOptions> = {},
  limits: CaptureDeps["limits"] = {},
  ports: number[] = [],
): Promise<TestCapture> {
  await using closers = new AsyncDisposableStack();
  const zoo = closers.adopt(await startZoo(), (opened) => opened.close());
  const logs: string[] = [];
  const log = (_data: object, message: string) => void logs.push(message);
  const resolve = async (name: string) => (name.endsWith(".test") ? ["127.0.0.1"] : []);
  const guard = createGuard({
    allow: parseEgressAllow([zoo.allow, ...ports.map((port) => `127.0.0.1:${port}`)].join()),
    resolve,
  });
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
