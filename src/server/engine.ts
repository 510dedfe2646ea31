import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { QueueTuning } from "#queue/queue.ts";
import type { App } from "./app.ts";
import type { Figures } from "./metrics.ts";
import { StartError } from "./start-error.ts";

export type EngineStart = { environment: NodeJS.ProcessEnv; connectionString: string; tuning: QueueTuning };
export type EngineOrder = "figures" | "stop";
export type EngineSays = "started" | { problem: string } | { figures: Figures };

/**
 * Does what workers do in a thread beside the calls: however large a page is that is captured, nobody who asks something
 * of the server waits for it. Answers how to stop it.
 */
export async function startEngine(
  { connectionString, metrics }: Pick<App, "connectionString" | "metrics">,
  environment: NodeJS.ProcessEnv,
  tuning: QueueTuning,
): Promise<() => Promise<void>> {
  const workerData: EngineStart = {
    environment: { ...environment },
    connectionString,
    tuning: { ...tuning, supervise: false },
  };
  const thread = new Worker(new URL("./engine-thread.ts", import.meta.url), { workerData });
  const hear = async () => ((await once(thread, "message")) as [EngineSays])[0];
  const order = (what: EngineOrder) => thread.postMessage(what);
  const first = await hear();
  if (typeof first === "object" && "problem" in first) throw new StartError(first.problem);
  let isWanted = true;
  // Without it nothing is checked: whoever watches over the process starts it again.
  thread.on("error", (error) => {
    throw error;
  });
  thread.on("exit", () => {
    if (isWanted) throw new Error("the engine ended by itself");
  });
  metrics.beside.push(async () => {
    order("figures");
    const said = await hear();
    return typeof said === "object" && "figures" in said ? said.figures : [];
  });
  return async () => {
    isWanted = false;
    order("stop");
    await once(thread, "exit");
  };
}
