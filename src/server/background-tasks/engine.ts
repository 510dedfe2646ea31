import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { QueueTuning } from "#queue/queue.ts";
import type { App } from "../app.ts";
import type { Figures } from "../observability/metrics.ts";
import { StartError } from "../startup/start-error.ts";

export type EngineStart = { environment: NodeJS.ProcessEnv; connectionString: string; tuning: QueueTuning };
export type EngineOrder = "figures" | "stop";
export type EngineMessage = "started" | { problem: string } | { figures: Figures };

/**
 * Runs the worker role in a thread of its own, so that calls to the server never wait for a capture, however large its
 * page is. Returns the function that stops it.
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
  const nextMessage = async () => ((await once(thread, "message")) as [EngineMessage])[0];
  const send = (order: EngineOrder) => thread.postMessage(order);
  const first = await nextMessage();
  if (typeof first === "object" && "problem" in first) throw new StartError(first.problem);
  let isWanted = true;
  // Without the engine nothing is checked, so the process ends here and its supervisor starts it again.
  thread.on("error", (error) => {
    throw error;
  });
  thread.on("exit", () => {
    if (isWanted) throw new Error("the engine ended by itself");
  });
  metrics.beside.push(async () => {
    send("figures");
    const message = await nextMessage();
    return typeof message === "object" && "figures" in message ? message.figures : [];
  });
  return async () => {
    isWanted = false;
    send("stop");
    await once(thread, "exit");
  };
}
