import { readFileSync } from "node:fs";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { JqFailure, OutOfTime, type RuleRuntime } from "#detection/selectors-and-ignore-rules/rule-budget.ts";

/** The file that shows the thread's processor time, if there is one. */
export type JqStarted = { times: string | null };
/**
 * What a program gave, and the processor time that it took: its results, each as JSON, or why it failed. A spent thread
 * can't run another program.
 */
export type JqAnswer = { ms: number; isSpent: boolean; results?: string[]; problem?: string };

type JqThread = { worker: Worker; port: MessagePort; signal: Int32Array; times: string | null };

const startMs = 30_000;
// Processor time is looked at this often. On a busy machine a program gets it slowly, but one that gets none is ended.
const [lookMs, hungMs] = [50, 30_000];
// What it takes to load jq again.
const restartMs = 300;
// In characters. More than any page has that is compared.
const maxResults = 10 * 1024 * 1024;

let thread: JqThread | undefined;
let spentMs = 0;

/** The processor time that programs took so far on behalf of this thread, in milliseconds. */
export const jqProcessorMs = () => spentMs;

function openThread(): JqThread {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("./jq-thread.ts", import.meta.url), {
    workerData: { port: port2, signal },
    transferList: [port2],
    // Neither the environment nor the output of the server.
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  // A thread that ran out of memory must not end the one that used it.
  worker.on("error", () => {
    if (thread?.worker === worker) thread = undefined;
  });
  worker.unref();
  port1.unref();
  const isStarted = waitFor(signal, startMs);
  const started = receiveMessageOnPort(port1)?.message as JqStarted | undefined;
  if (!isStarted || !started) throw new Error("jq could not be started");
  return { worker, port: port1, signal, times: started.times };
}

/** Waits, without the event loop, until the thread has done something; false if it takes too long. */
function waitFor(signal: Int32Array, ms: number): boolean {
  const outcome = Atomics.wait(signal, 0, 0, ms);
  if (outcome === "timed-out") return false;
  Atomics.store(signal, 0, 0);
  return true;
}

/** The processor time of the thread so far, or the clock's where the system doesn't show it. */
function processorMsOf({ times }: JqThread): number {
  if (times === null) return performance.now();
  return Number(readFileSync(times, "utf8").split(" ")[0]) / 1e6;
}

/** Waits until the thread is done or has used this much processor time; returns what it used if it isn't done. */
function waitForProcessorTime(opened: JqThread, limitMs: number): number | null {
  const [began, startedAt] = [processorMsOf(opened), performance.now()];
  for (;;) {
    if (waitFor(opened.signal, lookMs)) return null;
    const usedMs = processorMsOf(opened) - began;
    if (usedMs > limitMs || performance.now() - startedAt > hungMs) return usedMs;
  }
}

/**
 * Runs a jq program on a JSON text, in a thread of its own that is ended when it takes too long. Throws a JqFailure
 * with jq's reason, or an OutOfTime. This thread waits meanwhile, because rules are applied in one go.
 */
export const runJq: RuleRuntime["runJq"] = (program, json, limitMs) => {
  thread ??= openThread();
  const { port, worker } = thread;
  port.postMessage({ program, json });
  const usedMs = waitForProcessorTime(thread, limitMs);
  const answer = usedMs === null ? (receiveMessageOnPort(port)?.message as JqAnswer | undefined) : undefined;
  spentMs += answer?.ms ?? usedMs ?? 0;
  if (!answer || answer.isSpent) {
    spentMs += restartMs;
    thread = undefined;
    void worker.terminate();
  }
  if (!answer) throw new OutOfTime("The program took too long");
  const { ms, results, problem = "" } = answer;
  if (!results) throw new JqFailure(problem, ms);
  if (results.reduce((sum, result) => sum + result.length, 0) > maxResults)
    throw new JqFailure("its results are longer than 10 MiB", ms);
  return { results, ms };
};
