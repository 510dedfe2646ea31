import { once } from "node:events";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import type { Detector } from "./deps.ts";

export type OpenDetector = Detector & { close(): Promise<void> };

type Answer = { ok: true; value: unknown } | { ok: false; error: unknown };

const limits = {
  compare: 60_000,
  learnTwin: 60_000,
  diffRows: 60_000,
  // What users write may take for ever.
  view: 5_000,
  holdsOneOf: 5_000,
} as const;

/** A call that used up its time, or all the memory that a thread may have. */
class GaveUp extends Error {}

/**
 * Runs detection in threads of its own, each call within its time and memory; a thread that exceeds them is ended.
 * `viewMs` is how long the rules of a job may take on one capture.
 */
export function openDetector(size: number, viewMs: number = limits.view): OpenDetector {
  const all = new Set<Worker>();
  const idle: Worker[] = [];
  const inTurn = pLimit(size);
  let isOpen = true;

  async function start(): Promise<Worker> {
    if (!isOpen) throw new Error("The detector is closed");
    const worker = new Worker(new URL("./detector/thread.ts", import.meta.url), {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    all.add(worker);
    await heard(worker);
    return worker;
  }
  async function end(worker: Worker): Promise<void> {
    all.delete(worker);
    await worker.terminate();
  }

  async function call(name: keyof typeof limits, input: unknown): Promise<unknown> {
    const worker = idle.pop() ?? (await start());
    const answer = await ask(worker, name, input, name === "view" ? viewMs : limits[name]).catch(
      async (error: unknown) => {
        await end(worker);
        throw error;
      },
    );
    idle.push(worker);
    if (!answer.ok) throw answer.error;
    return answer.value;
  }

  function unlessGivenUp(error: unknown): undefined {
    if (!isOpen || !(error instanceof GaveUp)) throw error;
  }

  return {
    compare: (input) => inTurn(call, "compare", input) as ReturnType<Detector["compare"]>,
    learnTwin: (input) => inTurn(call, "learnTwin", input) as ReturnType<Detector["learnTwin"]>,
    diffRows: (input) => inTurn(call, "diffRows", input) as ReturnType<Detector["diffRows"]>,
    view: (input) => inTurn(call, "view", input).catch(unlessGivenUp) as ReturnType<Detector["view"]>,
    holdsOneOf: (input) =>
      inTurn(call, "holdsOneOf", input).catch(unlessGivenUp) as ReturnType<Detector["holdsOneOf"]>,
    async close() {
      isOpen = false;
      await Promise.all([...all].map(end));
    },
  };
}

async function ask(worker: Worker, name: string, input: unknown, ms: number): Promise<Answer> {
  const over = new AbortController();
  const { signal } = over;
  const timer = setTimeout(() => over.abort(), ms);
  try {
    worker.postMessage({ name, input });
    return (await heard(worker, signal)) as Answer;
  } catch (error) {
    throw signal.aborted ? new GaveUp(`${name} took too long`) : error;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

async function heard(worker: Worker, signal?: AbortSignal): Promise<unknown> {
  const options = signal ? { signal } : {};
  return Promise.race([
    once(worker, "message", options).then(([message]: unknown[]) => message),
    once(worker, "exit", options).then(() => Promise.reject(new GaveUp("A thread ended without an answer"))),
  ]);
}
