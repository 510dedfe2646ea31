import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { RuleFailure } from "#detection/rule-budget.ts";
import type { Detector, SharedDetector } from "./deps.ts";
import { FairQueue } from "./detector/fair-queue.ts";
import { share, sizeOf } from "./detector/share.ts";
import { threadEnv } from "./thread-env.ts";
import { TookTooMuch } from "./took-too-much.ts";

export type DetectorLoad = { threads: number; busy: number; waiting: number; ended: number };
/** What is asked of it without an account belongs to one of its own. */
export type OpenDetector = Detector & SharedDetector & { load(): DetectorLoad; close(): Promise<void> };

export type Answer =
  | { ok: true; value: unknown }
  | { ok: false; failure: { rule: string; message: string } }
  | { ok: false; error: unknown };

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
  // Rules have a budget of their own; this is for the page that they are applied to.
  view: 10_000,
  cover: 10_000,
  viewAll: 60_000,
  replay: 60_000,
  values: 10_000,
  applyAll: 10_000,
} as const;

// A thread that always runs has a little less processor time than time has passed.
const nearly = 0.8;

// A comparison of so much takes some hundred milliseconds.
const largeSize = 4 * 1024 * 1024;

// The captures of one call have as long as so many views.
const inOneCall = limits.viewAll / limits.view;

// A thread that only accounts with nothing running have: whatever the others ask for, they find one free.
const reserved = 1;

/**
 * Runs detection in threads of its own, each call within its time and memory; a thread that exceeds them is ended, and
 * another takes its place before somebody has to wait for it. Accounts take turns. `viewMs` is how long it may take to
 * apply a job's rules to one capture.
 */
export function openDetector(size: number, viewMs: number = limits.view): OpenDetector {
  const all = new Set<Worker>();
  const idle: Worker[] = [];
  // Whoever has large pages leaves others a thread, and their browser a processor.
  const queue = new FairQueue({ slots: size, reserved, large: Math.max(1, size - 1) });
  let isOpen = true;
  let ended = 0;

  async function start(): Promise<Worker> {
    if (!isOpen) throw new Error("The detector is closed");
    const worker = new Worker(new URL("./detector/thread.ts", import.meta.url), {
      env: threadEnv(),
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

  /** A thread to replace one that was ended; what kept it from starting is told to whoever needs one next. */
  async function replace(): Promise<void> {
    const worker = await start().catch(() => undefined);
    if (worker) idle.push(worker);
  }

  async function call(name: keyof typeof limits, input: unknown, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    const worker = idle.pop() ?? (await start());
    const ms =
      name === "view" || name === "cover" ? viewMs : name === "viewAll" ? inOneCall * viewMs : limits[name];
    const answer = await ask(worker, name, input, ms, signal).catch(async (error: unknown) => {
      ended++;
      void replace();
      await end(worker);
      throw error;
    });
    idle.push(worker);
    if (answer.ok) return answer.value;
    throw "failure" in answer ? new RuleFailure(answer.failure.rule, answer.failure.message) : answer.error;
  }

  function detectorOf(owner: string): Detector {
    const run = <Name extends keyof Detector>(name: Name) =>
      ((input: unknown, signal?: AbortSignal) =>
        queue.run(owner, sizeOf(input) > largeSize, () => call(name, input, signal))) as Detector[Name];
    /** What has an answer for the case that it takes too long. */
    const tried = <Name extends keyof Detector>(name: Name) => {
      const work = run(name) as (input: unknown) => Promise<unknown>;
      return ((input: unknown) =>
        work(input).catch((error: unknown) => {
          if (error instanceof TookTooMuch) return undefined;
          throw error;
        })) as Detector[Name];
    };
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
      view: run("view"),
      cover: tried("cover"),
      elements: run("elements"),
      pick: tried("pick"),
      values: run("values"),
      applyAll: run("applyAll"),
    };
  }

  return {
    ...detectorOf(""),
    for: detectorOf,
    load: () => ({ threads: all.size, busy: queue.busy, waiting: queue.waiting, ended }),
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
  void whenHad(worker, ms, over.signal).then(
    () => over.abort(),
    // It was over before.
    () => undefined,
  );
  try {
    worker.postMessage({ name, input: share(input) });
    return (await heard(worker, signal)) as Answer;
  } catch (error) {
    const isTooMuch =
      over.signal.aborted || (error as { code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY";
    throw isTooMuch ? new TookTooMuch(`${name} took too much`, { cause: error }) : error;
  } finally {
    over.abort();
  }
}

// Whoever has had no processor for so many times its limit is taken for hung.
const longestWait = 6;

/** Waits until a thread has had so much processor time: on a busy machine that takes longer, and is no fault of its. */
async function whenHad(worker: Worker, ms: number, signal: AbortSignal): Promise<void> {
  const had = async () => {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  };
  const began = await had();
  for (let n = 0, left = ms; n < longestWait && left > 0; n++) {
    await sleep(ms, undefined, { signal });
    left = nearly * ms - ((await had()) - began);
  }
}

async function heard(worker: Worker, signal?: AbortSignal): Promise<unknown> {
  const options = signal ? { signal } : {};
  return Promise.race([
    once(worker, "message", options).then(([message]: unknown[]) => message),
    once(worker, "exit", options).then(() => Promise.reject(new Error("A thread ended without an answer"))),
  ]);
}
