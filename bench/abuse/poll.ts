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
    await (await request(url)).body.dump();
    slowest = Math.max(slowest, performance.now() - started);
  }
}

if (!isMainThread) await poll(String(workerData));

/** Asks for one address again and again, from a thread of its own: what the attacks cost their sender is not in it. */
export function startPolling(url: string) {
  const thread = new Worker(new URL(import.meta.url), { workerData: url });
  return {
    /** The slowest answer in milliseconds since it was last asked for. */
    async slowest(): Promise<number> {
      thread.postMessage("slowest");
      const [ms] = (await once(thread, "message")) as [number];
      return ms;
    },
    close: () => thread.terminate(),
  };
}
