import { parentPort, workerData } from "node:worker_threads";
import { drawReport, type ReportContent } from "./draw-report.ts";

parentPort?.postMessage(await drawReport(workerData as ReportContent));
