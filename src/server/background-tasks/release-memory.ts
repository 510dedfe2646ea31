import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const idleUtilization = 0.05;
const growthBytes = 16 * 2 ** 20;

/**
 * Releases memory whenever this thread has little to do, because V8 by itself never gives back what it once took.
 * Returns the function that ends this.
 */
export function releaseMemoryWhenIdle(checkMs = 30_000): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let previous = performance.eventLoopUtilization();
  let keptBytes = 0;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, previous);
    previous = now;
    if (utilization > idleUtilization || process.memoryUsage().heapTotal < keptBytes + growthBytes) return;
    collect();
    keptBytes = process.memoryUsage().heapTotal;
  }, checkMs);
  timer.unref();
  return () => clearInterval(timer);
}
