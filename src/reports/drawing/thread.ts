import { flushCompileCache } from "node:module";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { openHtml } from "./draw-html.ts";
import { openPdf } from "./draw-pdf.ts";
import type { Piece } from "./pieces.ts";

// Of this thread alone on Linux: nobody waits for a report as for an answer.
if (process.platform === "linux") setPriority(10);
flushCompileCache();

const { pdf, html } = workerData as { pdf: string; html: string };
const writers = [openPdf(pdf), openHtml(html)];

// One piece at a time: who sends waits for the answer.
parentPort?.on("message", (piece: Piece) => {
  Promise.all(writers.map((writer) => writer.draw(piece))).then(
    () => parentPort?.postMessage("drawn"),
    (error: unknown) => {
      throw error;
    },
  );
});
