import { useQueryClient } from "@tanstack/react-query";
import { call } from "#web/api/call.ts";
import { type Group, keys } from "../queries.ts";
import { emptyFields, inputOf } from "./fields.ts";
import { JobDialog } from "./job-dialog.tsx";

type NewJobProps = {
  groups: Group[];
  groupId: string;
  onClose: () => void;
  onMade: (groupId: string, jobId: string) => void;
  onPick: (previewId?: string) => void;
};

export function NewJob({ groups, groupId, onClose, onMade, onPick }: NewJobProps) {
  const client = useQueryClient();
  return (
    <JobDialog
      name="new-job"
      title="New Job"
      description="Watches one page. The first check starts at once."
      action="Create Job"
      undo="Start over"
      otherwise="The job could not be created. What you typed is kept."
      groups={groups}
      outlivesReload
      start={(plan) => emptyFields(groupId, plan)}
      save={(fields) => call("POST /api/jobs/create", { body: inputOf(fields) })}
      onSaved={async ({ job }) => {
        await Promise.all([
          client.invalidateQueries({ queryKey: keys.group(job.groupId) }),
          client.invalidateQueries({ queryKey: keys.groups }),
        ]);
        onMade(job.groupId, job.id);
      }}
      onClose={onClose}
      onPick={onPick}
    />
  );
}
