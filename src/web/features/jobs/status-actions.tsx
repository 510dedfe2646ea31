import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import type { settableStatuses } from "#contract/job.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import type { Job } from "./queries.ts";
import { type Deletion, deletionOf } from "./use-deletions.ts";
import { refreshJob } from "./use-live-jobs.ts";

type Settable = (typeof settableStatuses)[number];

const actions: { status: Settable; label: string; icon: IconName; says: string }[] = [
  { status: "ACTIVE", label: "ACTIVE", icon: "play", says: "Check by the clock" },
  { status: "PAUSED", label: "PAUSE", icon: "pause", says: "Stop checking for now" },
  { status: "DISABLED", label: "DISABLE", icon: "stop", says: "Take it out of use, keep its history" },
];

const segment =
  "inline-flex h-7 items-center justify-center gap-1.5 px-2.5 text-xs font-medium tracking-wide transition-colors first:rounded-s-control last:rounded-e-control -outline-offset-2 @max-md:flex-1 @max-md:px-1 @max-md:*:[svg]:hidden";

/** ACTIVE, PAUSE, DISABLE and DELETE; the status that holds is pressed. */
export function StatusActions({ job, onDelete }: { job: Job; onDelete: (deletion: Deletion) => void }) {
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const change = useMutation({
    mutationFn: (status: Settable) =>
      call("PATCH /api/jobs/:jobId/:status", { params: { jobId: job.id, status } }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await refreshJob(client, job.id);
    },
    onError: (error) => toast.error(error.message || "The status could not be changed."),
  });
  return (
    <>
      <fieldset className="inline-flex divide-x @max-md:w-full divide-line-strong rounded-control bg-surface ring-1 ring-line-strong ring-inset">
        <legend className="sr-only">Status</legend>
        {actions.map(({ status, label, icon, says }) => {
          const holds = job.status === status;
          return (
            <button
              key={status}
              type="button"
              title={says}
              aria-pressed={holds}
              aria-disabled={change.isPending || undefined}
              onClick={() => {
                if (!holds && !change.isPending) change.mutate(status);
              }}
              className={cx(
                segment,
                holds ? "bg-accent-bg text-accent-text" : "text-muted hover:bg-hover hover:text-ink",
              )}
            >
              <Icon name={icon} className="size-3.5" />
              {label}
            </button>
          );
        })}
        <button
          type="button"
          title="Delete the job and its history"
          onClick={() => setAsks(true)}
          className={cx(segment, "text-muted hover:bg-removed-bg hover:text-removed")}
        >
          <Icon name="trash" className="size-3.5" />
          DELETE
        </button>
      </fieldset>
      <Dialog
        open={asks}
        onClose={() => setAsks(false)}
        title={`Delete “${job.name}”?`}
        description="Its executions with their captures, its logs and its shared links go with it. You can undo this for a few seconds."
        footer={
          <>
            <Button onClick={() => setAsks(false)}>Keep it</Button>
            <Button
              look="danger"
              onClick={() => {
                setAsks(false);
                onDelete(deletionOf(job));
              }}
            >
              Delete job
            </Button>
          </>
        }
      />
    </>
  );
}
