import { useQueryClient } from "@tanstack/react-query";
import { call } from "#web/api/call.ts";
import { type Group, type Job, keys, putJob } from "../queries.ts";
import { fieldsOf, inputOf } from "./fields.ts";
import { JobDialog } from "./job-dialog.tsx";

type JobSettingsProps = {
  job: Job;
  groups: Group[];
  onClose: () => void;
  onMoved: (groupId: string) => void;
  onPick: () => void;
  onTry: () => void;
};

export function JobSettings({ job, groups, onClose, onMoved, onPick, onTry }: JobSettingsProps) {
  const client = useQueryClient();
  return (
    <JobDialog
      name={`job-${job.id}`}
      title="Job Settings"
      description="A new URL starts the comparison afresh; rules count from the next check on. The history stays."
      action="Update Job"
      undo="Undo edits"
      otherwise="The job could not be updated. Nothing was changed."
      groups={groups}
      jobId={job.id}
      start={() => fieldsOf(job)}
      // Left empty, these keep their current values.
      complete={(fields) => ({
        ...fields,
        name: fields.name.trim() || job.name,
        url: fields.url.trim() || job.url,
        frequency: fields.frequency || String(job.frequencyMinutes),
      })}
      // A frequency the plan no longer allows may stay as long as it is not touched.
      allow={(plan) => ({ ...plan, minimumMinutes: Math.min(plan.minimumMinutes, job.frequencyMinutes) })}
      save={(fields) => call("PATCH /api/jobs/:jobId", { params: { jobId: job.id }, body: inputOf(fields) })}
      onSaved={async ({ job: changed }) => {
        putJob(client, changed);
        if (changed.groupId !== job.groupId) {
          await Promise.all([
            client.invalidateQueries({ queryKey: ["group"] }),
            client.invalidateQueries({ queryKey: keys.groups }),
          ]);
          onMoved(changed.groupId);
        }
        onClose();
      }}
      onClose={onClose}
      {...(job.executions.some(({ hasImage }) => hasImage) && { onPick })}
      {...(job.executionsTotal > 0 && { onTry })}
    />
  );
}
