import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import type { settableStatuses } from "#contract/job.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { useBulk } from "../bulk-actions/use-bulk.ts";
import type { Job } from "../queries.ts";
import { refreshJob } from "./use-live-jobs.ts";

type Settable = (typeof settableStatuses)[number];

const actions: { status: Settable; label: string; icon: IconName; hint: string }[] = [
  { status: "ACTIVE", label: "ACTIVE", icon: "play", hint: "Check on schedule" },
  { status: "PAUSED", label: "PAUSE", icon: "pause", hint: "Pause checks" },
  { status: "DISABLED", label: "DISABLE", icon: "stop", hint: "Turn the job off and keep its history" },
];

const segment =
  "inline-flex h-7 items-center justify-center gap-1.5 px-2.5 text-xs font-medium tracking-wide transition-colors first:rounded-s-control last:rounded-e-control -outline-offset-2 @max-md:flex-1 @max-md:px-1 @max-md:*:[svg]:hidden";

/** ACTIVE, PAUSE and DISABLE, of which the current one is pressed; and DELETE. */
export function StatusActions({ job }: { job: Job }) {
  const client = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const bulk = useBulk();
  const change = useMutation({
    mutationFn: (status: Settable) =>
      call("PATCH /api/jobs/:jobId/:status", { params: { jobId: job.id, status } }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await refreshJob(client, job.id);
    },
    onError: (error) => toast.error(error.message || "We couldn’t change the status."),
  });
  return (
    <>
      <fieldset className="inline-flex divide-x @max-md:flex-1 divide-line-strong rounded-control bg-surface ring-1 ring-line-strong ring-inset">
        <legend className="sr-only">Status</legend>
        {actions.map(({ status, label, icon, hint }) => {
          const isCurrent = job.status === status;
          return (
            <button
              key={status}
              type="button"
              title={hint}
              aria-pressed={isCurrent}
              aria-disabled={change.isPending || undefined}
              onClick={() => {
                if (!isCurrent && !change.isPending) change.mutate(status);
              }}
              className={cx(
                segment,
                isCurrent ? "bg-accent-bg text-accent-text" : "text-muted hover:bg-hover hover:text-ink",
              )}
            >
              <Icon name={icon} className="size-3.5" />
              {label}
            </button>
          );
        })}
      </fieldset>
      {/* Apart from the switch of the status, which it would be taken for. */}
      <button
        type="button"
        title="Delete the job and its history"
        onClick={() => setConfirming(true)}
        className={cx(
          segment,
          "rounded-control text-muted ring-1 ring-line-strong ring-inset hover:bg-removed-bg hover:text-removed @max-md:flex-none @max-md:px-2",
        )}
      >
        <Icon name="trash" className="size-3.5" />
        DELETE
      </button>
      <Dialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={`Delete “${job.name}”?`}
        description="This also deletes its executions, captures, logs and shared links. You can undo this for 30 minutes. Meanwhile the job isn’t checked."
        footer={
          <>
            <Button onClick={() => setConfirming(false)}>Keep it</Button>
            <Button
              look="danger"
              onClick={() => {
                setConfirming(false);
                bulk.mutate({ jobIds: [job.id], action: "delete" });
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
