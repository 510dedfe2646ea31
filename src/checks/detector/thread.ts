import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { detect } from "../detect.ts";

// Linux knows a priority for each thread: whoever asks something of the server goes before what is compared.
if (process.platform === "linux") setPriority(10);

parentPort?.on("message", ({ name, input }: { name: keyof typeof detect; input: never }) => {
  try {
    parentPort?.postMessage({ ok: true, value: detect[name](input) });
  } catch (error) {
    parentPort?.postMessage({ ok: false, error });
  }
});
parentPort?.postMessage("ready");
