import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { type Plan, planById } from "#contract/plans.ts";
import { call } from "#web/api/call.ts";
import { useMe } from "#web/api/me.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { type Group, type Job, keys, putJob } from "../queries.ts";
import { CallProblem } from "./call-problem.tsx";
import { checkFields, fieldsOf, inputOf, type JobFields } from "./fields.ts";
import { JobForm } from "./job-form.tsx";
import { useDraft } from "./use-draft.ts";

type JobSettingsProps = {
  job: Job;
  groups: Group[];
  onClose: () => void;
  onMoved: (groupId: string) => void;
};

export function JobSettings(props: JobSettingsProps) {
  const { data: me } = useMe();
  return me && <Form {...props} plan={planById(me.planId)} />;
}

/** Empty name, URL and frequency keep the current values, so they are filled in before the check. */
function withKept(fields: JobFields, job: Job): JobFields {
  return {
    ...fields,
    name: fields.name.trim() || job.name,
    url: fields.url.trim() || job.url,
    frequency: fields.frequency || String(job.frequencyMinutes),
  };
}

function Form({ job, groups, onClose, onMoved, plan }: JobSettingsProps & { plan: Plan }) {
  const client = useQueryClient();
  const { draft, setDraft, forget, isKept } = useDraft(`job-${job.id}`, () => fieldsOf(job));
  const [isChecked, setChecked] = useState(false);
  const wanted = withKept(draft, job);
  // A frequency the plan no longer allows may stay as long as it is not touched.
  const allowed = { ...plan, minimumMinutes: Math.min(plan.minimumMinutes, job.frequencyMinutes) };
  const problems = isChecked ? checkFields(wanted, allowed) : {};
  const update = useMutation({
    mutationFn: () => call("PATCH /api/jobs/:jobId", { params: { jobId: job.id }, body: inputOf(wanted) }),
    onSuccess: async ({ message, job: changed }) => {
      forget();
      putJob(client, changed);
      if (changed.groupId !== job.groupId) {
        await Promise.all([
          client.invalidateQueries({ queryKey: ["group"] }),
          client.invalidateQueries({ queryKey: keys.groups }),
        ]);
        onMoved(changed.groupId);
      }
      toast.success(message);
      onClose();
    },
  });
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Job Settings"
      description="A new URL or selector starts the comparison afresh; the history stays."
      footer={
        <>
          {isKept && (
            <Button look="ghost" className="me-auto" onClick={() => forget(fieldsOf(job))}>
              Undo edits
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" form="job-settings" busy={update.isPending}>
            Update Job
          </Button>
        </>
      }
    >
      <form
        id="job-settings"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (Object.keys(checkFields(wanted, allowed)).length === 0 && !update.isPending) update.mutate();
        }}
      >
        <JobForm
          fields={draft}
          onChange={setDraft}
          problems={problems}
          groups={groups}
          plan={plan}
          jobId={job.id}
        />
        <CallProblem error={update.error} otherwise="The job could not be updated. Nothing was changed." />
      </form>
    </Dialog>
  );
}
