import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { LiveEvent } from "#contract/job.ts";
import type { Caller } from "./product.ts";

type Execution = { id: string; error: string | null };

/** Jobs of callers, each watching a host of its own. */
export function openJobs(originOf: (caller: Caller) => string) {
  const groups = new Map<Caller, { id: unknown; jobs: number }>();

  async function groupOf(caller: Caller): Promise<unknown> {
    const known = groups.get(caller);
    // A group of the largest plan holds twenty.
    if (known && known.jobs++ < 15) return known.id;
    const { body } = await caller.call("POST", "/api/jobs/groups", { name: `G ${performance.now()}` });
    groups.set(caller, { id: body.id, jobs: 1 });
    return body.id;
  }

  async function createJob(
    caller: Caller,
    path: string,
    name: string,
    { origin = originOf(caller), ...settings }: { origin?: string; selector?: string } = {},
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

  async function firstOf(caller: Caller, id: string): Promise<void> {
    while ((await executionsOf(caller, id)).length === 0) await sleep(200);
  }

  const awaited = new EventEmitter().setMaxListeners(100);
  const listening = new WeakMap<Caller, Promise<unknown>>();

  /** Asking again and again would be as coarse as the calls a minute that anybody has, and use them up. */
  function listen(caller: Caller): Promise<unknown> {
    let rest = "";
    const hear = (said: string) => {
      const lines = (rest + said).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.filter((each) => each.startsWith("data:"))) {
        const event = JSON.parse(line.slice(5)) as Partial<Extract<LiveEvent, { kind: "finished" }>>;
        if (event.kind !== "finished") continue;
        awaited.emit(event.jobId ?? "", event.failed ? event.summary : null);
      }
    };
    const open = listening.get(caller) ?? caller.open("/api/events", hear);
    listening.set(caller, open);
    return open;
  }

  /** Runs a job and waits for it; says what kept it from its end. */
  async function check(caller: Caller, id: string, patienceMs = 180_000): Promise<string | null> {
    await listen(caller);
    const over = once(awaited, id).then(([error]: (string | null)[]) => error ?? null);
    const { status } = await caller.call("POST", `/api/jobs/${id}/run`);
    if (status !== 202) return `It was answered with ${status}.`;
    return Promise.race([over, sleep(patienceMs, "It did not come.", { ref: false })]);
  }

  return { groupOf, createJob, executionsOf, firstOf, check };
}
