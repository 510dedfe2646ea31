import { once } from "node:events";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import type { Detector } from "./deps.ts";
import { share, sizeOf } from "./detector/share.ts";
import { TookTooMuch } from "./took-too-much.ts";

export type DetectorLoad = { threads: number; busy: number; waiting: number; ended: number };
export type OpenDetector = Detector & { load(): DetectorLoad; close(): Promise<void> };

type Answer = { ok: true; value: unknown } | { ok: false; error: unknown };

const limits = {
  compare: 60_000,
  learnTwin: 60_000,
  findMeant: 60_000,
  kindOf: 10_000,
  decode: 10_000,
  recognize: 5_000,
  holdsOneOf: 10_000,
  elements: 10_000,
  pick: 10_000,
  // What users write may take for ever.
  view: 10_000,
  cover: 10_000,
  viewAll: 60_000,
  replay: 60_000,
  values: 10_000,
} as const;

// A comparison of so much takes some hundred milliseconds.
const largeSize = 4 * 1024 * 1024;

// The captures of one call have as long as so many views.
const inOneCall = limits.viewAll / limits.view;

/**
 * Runs detection in threads of its own, each call within its time and memory; a thread that exceeds them is ended.
 * `viewMs` is how long the rules of a job may take on one capture.
 */
export function openDetector(size: number, viewMs: number = limits.view): OpenDetector {
  const all = new Set<Worker>();
  const idle: Worker[] = [];
  const inTurn = pLimit(size);
  // Whoever has large pages leaves others a thread, and their browser a processor.
  const largeInTurn = pLimit(Math.max(1, size - 1));
  let isOpen = true;
  let ended = 0;

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

  async function call(name: keyof typeof limits, input: unknown, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const worker = idle.pop() ?? (await start());
    const ms =
      name === "view" || name === "cover" ? viewMs : name === "viewAll" ? inOneCall * viewMs : limits[name];
    const answer = await ask(worker, name, input, ms, signal).catch(async (error: unknown) => {
      ended++;
      await end(worker);
      throw error;
    });
    idle.push(worker);
    if (!answer.ok) throw answer.error;
    return answer.value;
  }

  const queued = (name: keyof typeof limits, input: unknown, signal?: AbortSignal) => {
    const inItsTurn = () => inTurn(call, name, input, signal);
    return sizeOf(input) > largeSize ? largeInTurn(inItsTurn) : inItsTurn();
  };
  const run = <Name extends keyof Detector>(name: Name) =>
    ((input: unknown, signal?: AbortSignal) => queued(name, input, signal)) as Detector[Name];
  /** What has an answer for the case that it takes too long. */
  const tried = <Name extends keyof Detector>(name: Name) =>
    ((input: unknown) =>
      queued(name, input).catch((error: unknown) => {
        if (error instanceof TookTooMuch) return undefined;
        throw error;
      })) as Detector[Name];

  return {
    compare: run("compare"),
    replay: run("replay"),
    viewAll: run("viewAll"),
    learnTwin: run("learnTwin"),
    findMeant: run("findMeant"),
    kindOf: run("kindOf"),
    decode: run("decode"),
    recognize: tried("recognize"),
    holdsOneOf: tried("holdsOneOf"),
    view: tried("view"),
    cover: tried("cover"),
    elements: run("elements"),
    pick: tried("pick"),
    values: tried("values"),
    load: () => ({
      threads: all.size,
      busy: inTurn.activeCount,
      waiting: inTurn.pendingCount + largeInTurn.pendingCount,
      ended,
    }),
    async close() {
      isOpen = false;
      await Promise.all([...all].map(end));
    },
  };
}

async function ask(
  worker: Worker,
  name: string,
  input: unknown,
  ms: number,
  cancelled?: AbortSignal,
): Promise<Answer> {
  const over = new AbortController();
  const signal = cancelled ? AbortSignal.any([over.signal, cancelled]) : over.signal;
  const timer = setTimeout(() => over.abort(), ms);
  try {
    worker.postMessage({ name, input: share(input) });
    return (await heard(worker, signal)) as Answer;
  } catch (error) {
    const isTooMuch =
      over.signal.aborted || (error as { code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY";
    throw isTooMuch ? new TookTooMuch(`${name} took too much`, { cause: error }) : error;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

async function heard(worker: Worker, signal?: AbortSignal): Promise<unknown> {
  const options = signal ? { signal } : {};
  return Promise.race([
    once(worker, "message", options).then(([message]: unknown[]) => message),
    once(worker, "exit", options).then(() => Promise.reject(new Error("A thread ended without an answer"))),
  ]);
}
