import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const idle = 0.05;
const worthBytes = 16 * 2 ** 20;

/**
 * Gives memory back whenever this thread has little to do; V8 by itself keeps for good what it once took. Answers how to
 * end that.
 */
export function restWhenIdle(lookMs = 30_000): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let before = performance.eventLoopUtilization();
  let keptBytes = 0;
  const looking = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > idle || process.memoryUsage().heapTotal < keptBytes + worthBytes) return;
    collect();
    keptBytes = process.memoryUsage().heapTotal;
  }, lookMs);
  looking.unref();
  return () => clearInterval(looking);
}
