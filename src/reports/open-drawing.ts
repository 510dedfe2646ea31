import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { threadEnv } from "#checks/thread-env.ts";
import type { Piece } from "./drawing/pieces.ts";

const pieceMs = 120_000;

/** Draws a report into files, outside the thread that answers calls: fonts and pictures take seconds. */
export async function openDrawing() {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-report-"));
  const paths = { pdf: join(folder, "report.pdf"), html: join(folder, "report.html") };
  const worker = new Worker(new URL("./drawing/thread.ts", import.meta.url), {
    workerData: paths,
    env: threadEnv(),
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  return {
    async draw(piece: Piece): Promise<void> {
      const drawn = once(worker, "message", { signal: AbortSignal.timeout(pieceMs) });
      worker.postMessage(piece);
      await drawn;
    },
    async finish(): Promise<{ pdf: Buffer; html: Buffer }> {
      await this.draw({ kind: "end" });
      const [pdf, html] = await Promise.all([readFile(paths.pdf), readFile(paths.html)]);
      return { pdf, html };
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
