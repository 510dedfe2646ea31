import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ReportContent } from "./pdf/draw-report.ts";

const limitMs = 120_000;

/** Draws a report outside the thread that answers calls: fonts and pictures take seconds. */
export async function drawInThread(content: ReportContent): Promise<Buffer> {
  const worker = new Worker(new URL("./pdf/thread.ts", import.meta.url), {
    workerData: content,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  const over = AbortSignal.timeout(limitMs);
  try {
    const [pdf] = (await once(worker, "message", { signal: over })) as [Uint8Array];
    return Buffer.from(pdf);
  } finally {
    await worker.terminate();
  }
}
