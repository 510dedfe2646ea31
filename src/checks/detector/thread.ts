import { flushCompileCache } from "node:module";
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { detect } from "../detect.ts";
import { unshare } from "./share.ts";

// Linux knows a priority for each thread: whoever asks something of the server goes before what is compared. Not by
// much: a thread that others keep from working runs out of its time.
if (process.platform === "linux") setPriority(5);
// The next thread finds what this one has read.
flushCompileCache();

parentPort?.on("message", ({ name, input }: { name: keyof typeof detect; input: unknown }) => {
  try {
    parentPort?.postMessage({ ok: true, value: detect[name](unshare(input) as never) });
  } catch (error) {
    parentPort?.postMessage({ ok: false, error });
  }
});
parentPort?.postMessage("ready");
