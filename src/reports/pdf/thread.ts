import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { drawReport, type ReportContent } from "./draw-report.ts";

// This thread only, where the system knows priorities of threads.
if (process.platform === "linux") setPriority(10);

parentPort?.postMessage(await drawReport(workerData as ReportContent));
