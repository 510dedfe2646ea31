import { parentPort } from "node:worker_threads";
import { detect } from "../detect.ts";

parentPort?.on("message", ({ name, input }: { name: keyof typeof detect; input: never }) => {
  try {
    parentPort?.postMessage({ ok: true, value: detect[name](input) });
  } catch (error) {
    parentPort?.postMessage({ ok: false, error });
  }
});
parentPort?.postMessage("ready");
