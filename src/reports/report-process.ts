// The process that makes one report: it gets its order as a message, stores the files and ends.
import { once } from "node:events";
import { rmSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setPriority } from "node:os";
import sharp from "sharp";
import { openDetector } from "#checks/detection-threads/open-detector.ts";
import { openBlobs } from "#storage/blobs.ts";
import { openDatabase } from "#storage/database.ts";
import { composeReport } from "./compose-report.ts";
import type { ReportOrder } from "./run-report-process.ts";

// A report is less urgent than an API call or a check.
setPriority(10);
flushCompileCache();
// Each picture is drawn once: a cache of it, and more threads, would only take memory.
sharp.cache(false);
sharp.concurrency(1);

const [order] = (await once(process, "message")) as [ReportOrder];
// The process that gave the order has died: another attempt starts elsewhere, and nobody else removes the files.
process.once("disconnect", () => {
  rmSync(order.folder, { recursive: true, force: true });
  process.exit(1);
});

const { db } = openDatabase(order.connectionString, { max: 2, statementTimeoutMs: 60_000 });
const blobs = await openBlobs(new URL(order.captureStore));
const detector = openDetector(1);
await composeReport({ db, blobs, detector, baseUrl: order.baseUrl }, order);
process.exit(0);
