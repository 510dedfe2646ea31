import { spawnSync } from "node:child_process";
import { parentPort } from "node:worker_threads";

/** A thread that waits in a system call, so that it can't be interrupted or asked anything until that returns. */
parentPort?.on("message", () => {
  spawnSync("sleep", ["20"]);
});
parentPort?.postMessage("ready");
