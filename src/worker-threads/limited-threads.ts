import pLimit, { type LimitFunction } from "p-limit";
import { Piscina } from "piscina";
import { type ThreadAnswer, UnreadableFile } from "#contract/unreadable-file.ts";
import { threadEnv } from "./thread-env.ts";

export type LimitedThreads = {
  /** Calls an exported function of the thread's file by its name. Refuses files that take too much time or memory. */
  run<T>(name: string, input: unknown, seconds: number): Promise<T>;
  close(): Promise<void>;
};

type Options = {
  threads: number;
  /** Whether a thread keeps its state between calls: then there is one thread, which lives until `close`. */
  keepsState?: boolean;
  /** Shared by several of these, so that all of them together use no more processors than it allows. */
  limit?: LimitFunction;
  /** The memory limit of each thread. */
  memoryMiB?: number;
};

/**
 * Threads in which files of users are read, because a hostile file may take any time and memory. The thread that
 * answers calls never parses one. A thread that exceeds its time or memory is ended, and the file is refused.
 */
export function openLimitedThreads(
  filename: URL,
  { threads, keepsState = false, limit = pLimit(threads), memoryMiB = 512 }: Options,
): LimitedThreads {
  const pool = new Piscina({
    filename: filename.href,
    minThreads: keepsState ? 1 : 0,
    maxThreads: keepsState ? 1 : threads,
    idleTimeout: 30_000,
    // With atomics, a waiting thread is blocked, which keeps the process from ending.
    atomics: "disabled",
    niceIncrement: 5,
    env: threadEnv(),
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
  });
  async function call<T>(name: string, input: unknown, seconds: number): Promise<T> {
    const signal = AbortSignal.timeout(seconds * 1_000);
    try {
      const answer: ThreadAnswer<T> = await pool.run(input, { name, signal });
      if ("refusal" in answer) throw new UnreadableFile(answer.refusal);
      return answer.value;
    } catch (error) {
      if (signal.aborted && !(error instanceof UnreadableFile))
        throw new UnreadableFile(`Reading the file took longer than ${seconds} seconds. ${advice}`);
      if ((error as { code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY")
        throw new UnreadableFile(`Reading the file took more than ${memoryMiB} MiB of memory. ${advice}`);
      throw error;
    }
  }
  return {
    // The time limit starts when a thread is free: waiting for other files does not count.
    run: (name, input, seconds) => limit(() => call(name, input, seconds)),
    close: () => pool.destroy(),
  };
}

const advice = "Nothing was imported. Split the file and import its parts.";
