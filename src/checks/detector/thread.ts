import { flushCompileCache } from "node:module";
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { RuleFailure } from "#detection/rule-budget.ts";
import { detect } from "../detect.ts";
import type { Answer } from "../open-detector.ts";
import { unshare } from "./share.ts";

// Linux knows a priority for each thread: whoever asks something of the server goes before what is compared. Not by
// much: a thread that others keep from working runs out of its time.
if (process.platform === "linux") setPriority(5);
// The next thread finds what this one has read.
flushCompileCache();

function answer(name: keyof typeof detect, input: unknown): Answer {
  try {
    return { ok: true, value: detect[name](unshare(input) as never) };
  } catch (error) {
    // What is posted loses its class.
    if (error instanceof RuleFailure)
      return { ok: false, failure: { rule: error.rule, message: error.message } };
    return { ok: false, error };
  }
}

parentPort?.on("message", ({ name, input }: { name: keyof typeof detect; input: unknown }) => {
  parentPort?.postMessage(answer(name, input));
});
parentPort?.postMessage("ready");
