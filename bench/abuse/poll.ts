import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { request } from "undici";

async function poll(url: string): Promise<void> {
  let slowest = 0;
  parentPort?.on("message", () => {
    parentPort?.postMessage(slowest);
    slowest = 0;
  });
  for (; ; await sleep(100)) {
    const started = performance.now();
    await requestOnce(url).catch(() => requestOnce(url));
    slowest = Math.max(slowest, performance.now() - started);
  }
}

/** May fail when the server closes an idle connection just as it is used again. */
async function requestOnce(url: string): Promise<void> {
  await (await request(url)).body.dump();
}

if (!isMainThread) await poll(String(workerData));

/** Requests a URL again and again from its own thread, so that what the attacks cost their sender doesn't count. */
export function startPolling(url: string) {
  const thread = new Worker(new URL(import.meta.url), { workerData: url });
  return {
    /** The slowest response since the last call, in milliseconds. */
    async slowest(): Promise<number> {
      thread.postMessage("slowest");
      const [ms] = (await once(thread, "message")) as [number];
      return ms;
    },
    close: () => thread.terminate(),
  };
}
