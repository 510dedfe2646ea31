import { flushCompileCache } from "node:module";
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { RuleFailure } from "#detection/selectors-and-ignore-rules/rule-budget.ts";
import { detect } from "./detect.ts";
import { processorMs } from "./interrupt-after.ts";
import type { Answer } from "./open-detector.ts";
import { jqProcessorMs } from "./run-jq.ts";
import { unshare } from "./share.ts";

// Linux has a priority per thread: answering calls goes before comparing. The difference is small, because a thread
// that gets no processor runs out of its time.
if (process.platform === "linux") setPriority(5);
// The next thread loads faster with what this one has compiled.
flushCompileCache();

function answer(name: keyof typeof detect, input: unknown): Answer {
  // jq runs in another thread while this one waits for it.
  const usedMs = () => processorMs() + jqProcessorMs();
  const startMs = usedMs();
  const took = () => usedMs() - startMs;
  try {
    const value: unknown = detect[name](unshare(input) as never);
    const { wasStopped = false } = (name === "cover" ? value : {}) as { wasStopped?: boolean };
    return { ok: true, value, ms: took(), wasStopped };
  } catch (error) {
    // An error loses its class when it is posted.
    if (error instanceof RuleFailure) {
      const failure = { rule: error.rule, message: error.message };
      return { ok: false, failure, ms: took(), wasStopped: true };
    }
    return { ok: false, error, ms: took(), wasStopped: false };
  }
}

parentPort?.on("message", ({ name, input }: { name: keyof typeof detect; input: unknown }) => {
  parentPort?.postMessage(answer(name, input));
});
parentPort?.postMessage("ready");
