import { createContext, Script } from "node:vm";
import { type Interrupt, OutOfTime } from "#detection/rule-budget.ts";

// A call of it can be ended in the midst of a library's loop, and the thread goes on: to start another would take longer
// than most comparisons.
const script = new Script("work()");
const context = createContext({ work: (): unknown => undefined });

/** Processor time of this thread, in milliseconds. */
const processorMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

// A thread that always runs has a little less processor time than time has passed.
const nearly = 0.8;

/** Ends work once it has had so much processor time of this thread. What others kept it from is not counted. */
export const interruptAfter: Interrupt = (limitMs, work) => {
  for (let patienceMs = limitMs; ; ) {
    const began = processorMs();
    try {
      const value = runWithin(Math.ceil(patienceMs), work);
      return { value, ms: processorMs() - began };
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      const had = processorMs() - began;
      if (had >= nearly * limitMs) throw new OutOfTime("A rule had its time", { cause: error });
      // It is begun anew, with as long as it takes to have its time on a machine that is so busy.
      patienceMs *= Math.min(100, (1.5 * limitMs) / Math.max(had, 1));
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
