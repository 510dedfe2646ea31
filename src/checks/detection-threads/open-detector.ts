import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { RuleFailure } from "#detection/selectors-and-ignore-rules/rule-budget.ts";
import { FairQueue, type ReportTime } from "#worker-threads/fair-queue.ts";
import { threadEnv } from "#worker-threads/thread-env.ts";
import type { Detector, SharedDetector } from "../deps.ts";
import { TookTooMuch } from "./limit-errors.ts";
import { share, sizeOf } from "./share.ts";

export type DetectorLoad = { threads: number; busy: number; waiting: number; ended: number };
/** Calls without an account are queued as if they came from one separate account. */
export type OpenDetector = Detector & SharedDetector & { load(): DetectorLoad; close(): Promise<void> };

type Result =
  | { ok: true; value: unknown }
  | { ok: false; failure: { rule: string; message: string } }
  | { ok: false; error: unknown };
/** The result of a call, the processor time that it took, and whether rules were stopped that took too much of it. */
export type Answer = Result & { ms: number; wasStopped: boolean };

const limits = {
  compare: 60_000,
  learnFromConfirmation: 60_000,
  findMeant: 60_000,
  kindOf: 10_000,
  decode: 10_000,
  recognize: 5_000,
  sitePage: 5_000,
  siteList: 10_000,
  siteDifference: 10_000,
  holdsOneOf: 10_000,
  elements: 10_000,
  pick: 10_000,
  // Rules have their own budget; this is for the page that they are applied to.
  view: 10_000,
  cover: 10_000,
  viewAll: 60_000,
  replay: 60_000,
  values: 10_000,
  applyAll: 10_000,
  writeTexts: 10_000,
} as const;

// Even a thread that runs all the time gets slightly less processor time than time passes.
const processorShare = 0.8;

// A thread that runs JavaScript ends at once.
const endMs = 1_000;

// Comparing this much takes some hundred milliseconds.
const largeSize = 4 * 1024 * 1024;

// One call of `viewAll` may take as long as this many of `view`.
const maxViews = limits.viewAll / limits.view;

// Threads reserved for accounts that have nothing running: they find one free, however much the others ask for.
const reserved = 1;

/**
 * Runs detection in worker threads, each call with a limit of time and memory. A thread that exceeds one is ended, and
 * another is started right away, so that no call has to wait for it. Accounts take turns. `viewMs` is how long it may
 * take to apply a job's rules to one capture.
 */
export function openDetector(
  size: number,
  viewMs: number = limits.view,
  threadFile = new URL("./thread.ts", import.meta.url),
): OpenDetector {
  const workers = new Set<Worker>();
  const idle: Worker[] = [];
  // Large pages and slow rules leave one thread to others, and a processor to browsers.
  const queue = new FairQueue({ slots: size, reserved, heavy: Math.max(1, size - 1) });
  let isOpen = true;
  let ended = 0;

  async function startWorker(): Promise<Worker> {
    if (!isOpen) throw new Error("The detector is closed");
    const worker = new Worker(threadFile, {
      env: threadEnv(),
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    workers.add(worker);
    await nextMessage(worker);
    return worker;
  }
  async function endWorker(worker: Worker): Promise<void> {
    workers.delete(worker);
    await worker.terminate();
  }

  /** Starts a thread in place of one that was ended. If that fails, the next call that needs one gets the error. */
  async function replaceWorker(): Promise<void> {
    const worker = await startWorker().catch(() => undefined);
    if (worker) idle.push(worker);
  }

  async function call(
    name: keyof typeof limits,
    input: unknown,
    report: ReportTime,
    signal?: AbortSignal,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    const worker = idle.pop() ?? (await startWorker());
    const ms =
      name === "view" || name === "cover" ? viewMs : name === "viewAll" ? maxViews * viewMs : limits[name];
    const answer = await ask(worker, name, input, ms, signal).catch(async (error: unknown) => {
      ended++;
      // Also for a canceled call: starting a thread in place of this one takes long.
      report(ms, error instanceof TookTooMuch);
      void replaceWorker();
      // A blocked thread may never end; its caller gets the error all the same.
      await Promise.race([endWorker(worker), sleep(endMs, undefined, { ref: false })]);
      throw error;
    });
    idle.push(worker);
    report(answer.ms, answer.wasStopped);
    if (answer.ok) return answer.value;
    throw "failure" in answer ? new RuleFailure(answer.failure.rule, answer.failure.message) : answer.error;
  }

  function detectorOf(owner: string): Detector {
    const run = <Name extends keyof Detector>(name: Name) =>
      ((input: unknown, signal?: AbortSignal) =>
        queue.run(owner, { kind: name, isLarge: sizeOf(input) > largeSize }, (report) =>
          // Calls without an account would make each other wait.
          call(name, input, (ms, wasStopped) => report(ms, wasStopped && owner !== ""), signal),
        )) as Detector[Name];
    /** For methods that return undefined when they take too long. */
    const runOrUndefined = <Name extends keyof Detector>(name: Name) => {
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
      learnFromConfirmation: run("learnFromConfirmation"),
      findMeant: run("findMeant"),
      kindOf: run("kindOf"),
      decode: run("decode"),
      recognize: runOrUndefined("recognize"),
      sitePage: runOrUndefined("sitePage"),
      siteList: runOrUndefined("siteList"),
      siteDifference: runOrUndefined("siteDifference"),
      holdsOneOf: runOrUndefined("holdsOneOf"),
      view: run("view"),
      cover: runOrUndefined("cover"),
      elements: run("elements"),
      pick: runOrUndefined("pick"),
      values: run("values"),
      applyAll: run("applyAll"),
      writeTexts: runOrUndefined("writeTexts"),
    };
  }

  return {
    ...detectorOf(""),
    for: detectorOf,
    load: () => ({ threads: workers.size, busy: queue.busy, waiting: queue.waiting, ended }),
    async close() {
      isOpen = false;
      queue.endRests();
      await Promise.all([...workers].map(endWorker));
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
  const timeLimit = new AbortController();
  const signal = cancelled ? AbortSignal.any([timeLimit.signal, cancelled]) : timeLimit.signal;
  void waitForProcessorTime(worker, ms, timeLimit.signal).then(
    () => timeLimit.abort(),
    // The call ended first.
    () => undefined,
  );
  try {
    worker.postMessage({ name, input: share(input) });
    return (await nextMessage(worker, signal)) as Answer;
  } catch (error) {
    const isTooMuch =
      timeLimit.signal.aborted || (error as { code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY";
    throw isTooMuch ? new TookTooMuch(`${name} took too much`, { cause: error }) : error;
  } finally {
    timeLimit.abort();
  }
}

// A thread that hasn't used its processor time after this many times its limit counts as hung.
const maxWaits = 6;

/** Waits until a thread has used `ms` of processor time, which takes longer on a busy machine. */
async function waitForProcessorTime(worker: Worker, ms: number, signal: AbortSignal): Promise<void> {
  // A thread answers this by itself, so one that is blocked doesn't. It has used nothing, as far as anybody knows.
  const usedMs = () =>
    Promise.race([
      worker.cpuUsage().then(({ user, system }) => (user + system) / 1000),
      sleep(ms, undefined, { signal }),
    ]);
  const began = await usedMs();
  for (let n = 0, left = ms; n < maxWaits && left > 0; n++) {
    await sleep(ms, undefined, { signal });
    const used = await usedMs();
    if (began !== undefined && used !== undefined) left = processorShare * ms - (used - began);
  }
}

async function nextMessage(worker: Worker, signal?: AbortSignal): Promise<unknown> {
  const options = signal ? { signal } : {};
  return Promise.race([
    once(worker, "message", options).then(([message]: unknown[]) => message),
    once(worker, "exit", options).then(() => Promise.reject(new Error("A thread ended without an answer"))),
  ]);
}
