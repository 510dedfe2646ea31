import { createContext, Script } from "node:vm";
import { type Interrupt, OutOfTime } from "#detection/selectors-and-ignore-rules/rule-budget.ts";

// A script with a timeout can be interrupted in the middle of a library's loop without ending the thread. Starting
// another thread would take longer than most comparisons.
const script = new Script("work()");
const context = createContext({ work: (): unknown => undefined });

/** Processor time of this thread, in milliseconds. */
export const processorMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

// Even a thread that runs all the time gets slightly less processor time than time passes.
const processorShare = 0.8;

/** Interrupts work that has used `limitMs` of this thread's processor time. Waiting for a processor doesn't count. */
export const interruptAfter: Interrupt = (limitMs, work) => {
  for (let timeoutMs = limitMs; ; ) {
    const startMs = processorMs();
    try {
      const value = runWithin(Math.ceil(timeoutMs), work);
      return { value, ms: processorMs() - startMs };
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      const usedMs = processorMs() - startMs;
      if (usedMs >= processorShare * limitMs) throw new OutOfTime("A rule ran out of time", { cause: error });
      // Start again, with a timeout that is long enough to get this processor time on a machine this busy. If others
      // need it less by then, the work gets all of that time, so the timeout grows by steps.
      timeoutMs *= Math.min(4, (1.1 * limitMs) / Math.max(usedMs, 1));
    }
  }
};

function runWithin<T>(timeout: number, work: () => T): T {
  context.work = work;
  try {
    return script.runInContext(context, { timeout, displayErrors: false }) as T;
  } finally {
    context.work = undefined;
  }
}
