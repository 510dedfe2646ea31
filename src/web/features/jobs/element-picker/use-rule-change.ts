import { useMutation, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { showUndoToast } from "../delete-and-undo/undo-toast.tsx";
import { type Job, updateCachedJob } from "../queries.ts";
import type { RuleChange } from "./picked-changes.ts";

const graceMs = 15_000;

/** Saves a change of a job's rules in one step and offers to undo it. */
export function useRuleChange(jobId: string, onSaved: () => void) {
  const client = useQueryClient();
  const save = (body: RuleChange["save"]) => call("PATCH /api/jobs/:jobId", { params: { jobId }, body });
  const onError = (error: Error) => toast.error(error.message || "We couldn’t reach the server.");
  const show = ({ job }: { job: Job }) => updateCachedJob(client, job);
  const restore = useMutation({
    mutationFn: ({ undo }: RuleChange) => save(undo),
    onSuccess: (answer) => {
      show(answer);
      toast.success("Undone.");
    },
    onError,
  });
  return useMutation({
    mutationFn: (change: RuleChange) => save(change.save),
    onSuccess: (answer, change) => {
      show(answer);
      const id = showUndoToast({
        message: change.message,
        graceMs,
        onUndo: () => {
          toast.dismiss(id);
          restore.mutate(change);
        },
        onEnd: () => toast.dismiss(id),
      });
      onSaved();
    },
    onError,
  });
}
