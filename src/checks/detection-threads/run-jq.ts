import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";

/** What a program gave: its results, each as JSON, or why it failed. */
export type JqAnswer = { results: string[] } | { problem: string };

type JqThread = { worker: Worker; port: MessagePort; signal: Int32Array };

// A thread takes a moment to load; a program on a large document takes less than a second of a quiet processor.
const [startMs, runMs] = [30_000, 2_000];

let thread: JqThread | undefined;

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
  worker.unref();
  port1.unref();
  const opened = { worker, port: port1, signal };
  if (!waitFor(opened, startMs)) throw new Error("jq could not be started");
  return opened;
}

/** Waits, without the event loop, until the thread has done something; false if it takes too long. */
function waitFor({ signal }: JqThread, ms: number): boolean {
  const outcome = Atomics.wait(signal, 0, 0, ms);
  Atomics.store(signal, 0, 0);
  return outcome !== "timed-out";
}

/**
 * Runs a jq program on a JSON text, in a thread of its own that is ended when it takes too long. Throws an Error with
 * jq's reason. This thread waits meanwhile, because rules are applied in one go.
 */
export function runJq(program: string, json: string): string[] {
  thread ??= openThread();
  const { port, worker } = thread;
  port.postMessage({ program, json });
  const isDone = waitFor(thread, runMs);
  const answer = receiveMessageOnPort(port)?.message as JqAnswer | undefined;
  if (!isDone || !answer) {
    thread = undefined;
    void worker.terminate();
    throw new Error(`jq took longer than ${runMs / 1000} seconds`);
  }
  if ("problem" in answer) throw new Error(answer.problem);
  return answer.results;
}
