import { setTimeout as sleep } from "node:timers/promises";
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

  async function createJob(caller: Caller, path: string, name: string): Promise<string> {
    const url = originOf(caller) + path;
    const job = { name, url, frequency: 60, groupId: await groupOf(caller) };
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

  /** Runs a job and waits for it; says what kept it from its end. */
  async function check(
    caller: Caller,
    id: string,
    everyMs = 120,
    patienceMs = 180_000,
  ): Promise<string | null> {
    const [before] = await executionsOf(caller, id);
    await caller.call("POST", `/api/jobs/${id}/run`);
    const until = performance.now() + patienceMs;
    while (performance.now() < until) {
      const [last] = await executionsOf(caller, id);
      if (last && last.id !== before?.id) return last.error;
      // Within the calls a minute that anybody has.
      await sleep(everyMs);
    }
    return "It did not come.";
  }

  return { groupOf, createJob, executionsOf, firstOf, check };
}
