import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { LiveEvent } from "#contract/job.ts";
import type { Caller } from "./product.ts";

type Execution = { id: string; error: string | null };

export const notInTime = "The check did not finish in time.";

/** Creates and runs jobs of callers; each caller watches its own host. */
export function openJobs(originOf: (caller: Caller) => string) {
  const groups = new Map<Caller, { id: unknown; jobs: number }>();

  async function groupOf(caller: Caller): Promise<unknown> {
    const group = groups.get(caller);
    // A group of the largest plan holds twenty jobs.
    if (group && group.jobs++ < 15) return group.id;
    const { body } = await caller.call("POST", "/api/jobs/groups", { name: `G ${performance.now()}` });
    groups.set(caller, { id: body.id, jobs: 1 });
    return body.id;
  }

  async function createJob(
    caller: Caller,
    path: string,
    name: string,
    { origin = originOf(caller), ...settings }: { origin?: string; selector?: string; site?: object } = {},
  ): Promise<string> {
    const url = origin + path;
    const job = { name, url, frequency: 60, groupId: await groupOf(caller), ...settings };
    const { status, body } = await caller.call("POST", "/api/jobs/create", job);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return (body.job as unknown as { id: string }).id;
  }

  async function executionsOf(caller: Caller, id: string): Promise<Execution[]> {
    const { body } = await caller.call("GET", `/api/jobs/${id}/executions?limit=10`);
    return (body.executions ?? []) as unknown as Execution[];
  }

  async function waitForFirstCheck(caller: Caller, id: string): Promise<void> {
    while ((await executionsOf(caller, id)).length === 0) await sleep(200);
  }

  const finishedChecks = new EventEmitter().setMaxListeners(100);
  const openStreams = new WeakMap<Caller, Promise<unknown>>();

  /** Listens for live events: polling would be limited to the caller's calls per minute, and would use them up. */
  function listen(caller: Caller): Promise<unknown> {
    let partialLine = "";
    const onData = (chunk: string) => {
      const lines = (partialLine + chunk).split("\n");
      partialLine = lines.pop() ?? "";
      for (const line of lines.filter((text) => text.startsWith("data:"))) {
        const event = JSON.parse(line.slice(5)) as Partial<Extract<LiveEvent, { kind: "finished" }>>;
        if (event.kind !== "finished") continue;
        finishedChecks.emit(event.jobId ?? "", event.failed ? event.summary : null);
      }
    };
    const stream = openStreams.get(caller) ?? caller.open("/api/events", onData);
    openStreams.set(caller, stream);
    return stream;
  }

  /** Runs a job and waits for its check; returns what went wrong, or null. */
  async function check(caller: Caller, id: string, timeoutMs = 180_000): Promise<string | null> {
    await listen(caller);
    const finished = once(finishedChecks, id).then(([error]: (string | null)[]) => error ?? null);
    const { status } = await caller.call("POST", `/api/jobs/${id}/run`);
    if (status !== 202) return `The request to run was answered with ${status}.`;
    return Promise.race([finished, sleep(timeoutMs, notInTime, { ref: false })]);
  }

  return { groupOf, createJob, executionsOf, waitForFirstCheck, check };
}
