import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { countOf } from "#web/ui/count-of.ts";
import type { Job } from "./queries.ts";
import { undoToast } from "./undo-toast.tsx";

const graceMs = 10_000;

/** What can be done with many jobs at once, but for deleting them. */
export type BulkAction =
  | { kind: "pause" | "activate" | "run" }
  | { kind: "move"; groupId: string }
  | { kind: "frequency"; minutes: number }
  | { kind: "ignore"; entry: string };

const said: Record<BulkAction["kind"], string> = {
  pause: "paused",
  activate: "activated",
  run: "checked now",
  move: "moved",
  frequency: "changed",
  ignore: "changed",
};

/** Does one thing with many jobs, one after the other, and offers one way back for all of them. */
export function useBulk() {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const refresh = () =>
    Promise.all(["group", "groups", "job"].map((key) => client.invalidateQueries({ queryKey: [key] })));

  async function apply(action: BulkAction, jobs: Job[]): Promise<void> {
    setBusy(true);
    const backs: (() => Promise<unknown>)[] = [];
    const problems: string[] = [];
    for (const job of jobs) {
      try {
        const back = await applyTo(action, job);
        if (back) backs.push(back);
      } catch (error) {
        problems.push(`${job.name}: ${(error as Error).message || "the server could not be reached."}`);
      }
    }
    await refresh();
    setBusy(false);
    if (problems.length > 0)
      toast.error(`${countOf(problems.length, "job")} stayed as before. ${problems[0]}`);
    const done = `${countOf(jobs.length - problems.length, "job")} ${said[action.kind]}.`;
    if (problems.length === jobs.length) return;
    if (backs.length === 0) return void toast.success(done);
    const id = undoToast({
      message: done,
      graceMs,
      onUndo: () => {
        toast.dismiss(id);
        void Promise.allSettled(backs.map((back) => back())).then((results) => {
          const kept = results.filter(({ status }) => status === "rejected").length;
          if (kept > 0) toast.error(`${countOf(kept, "job")} could not be put back.`);
          return refresh();
        });
      },
      onEnd: () => toast.dismiss(id),
    });
  }
  return { apply, isBusy };
}

/** Does it, and answers how it is taken back; undefined where nothing is to be. */
async function applyTo(action: BulkAction, job: Job): Promise<(() => Promise<unknown>) | undefined> {
  const params = { jobId: job.id };
  const update = (body: object) => call("PATCH /api/jobs/:jobId", { params, body });
  const setStatus = (status: string) =>
    call("PATCH /api/jobs/:jobId/:status", { params: { ...params, status } });
  switch (action.kind) {
    case "run":
      await call("POST /api/jobs/:jobId/run", { params });
      return undefined;
    case "pause":
    case "activate": {
      const status = action.kind === "pause" ? "PAUSED" : "ACTIVE";
      if (job.status === status) return undefined;
      await setStatus(status);
      const before = job.status;
      // What the system set nobody can set again.
      return ["ACTIVE", "PAUSED", "DISABLED"].includes(before) ? () => setStatus(before) : undefined;
    }
    case "move":
      await call("PATCH /api/jobs/addToGroup", { body: { ...params, groupId: action.groupId } });
      return () => call("PATCH /api/jobs/addToGroup", { body: { ...params, groupId: job.groupId } });
    case "frequency":
      await update({ frequency: action.minutes });
      return () => update({ frequency: job.frequencyMinutes });
    default:
      if (job.ignore.includes(action.entry)) return undefined;
      await update({ ignore: [...job.ignore, action.entry] });
      return () => update({ ignore: job.ignore });
  }
}
