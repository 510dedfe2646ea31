import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import { type Plan, planById } from "#contract/plans.ts";
import { call } from "#web/api/call.ts";
import { useMe } from "#web/api/me.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { type Group, keys } from "../queries.ts";
import { CallProblem } from "./call-problem.tsx";
import { checkFields, emptyFields, inputOf } from "./fields.ts";
import { JobForm } from "./job-form.tsx";
import { useDraft } from "./use-draft.ts";

type NewJobProps = {
  groups: Group[];
  groupId: string | undefined;
  onClose: () => void;
  onMade: (groupId: string, jobId: string) => void;
};

export function NewJob(props: NewJobProps) {
  const { data: me } = useMe();
  return me && <Form {...props} plan={planById(me.planId)} />;
}

function Form({ groups, groupId, onClose, onMade, plan }: NewJobProps & { plan: Plan }) {
  const client = useQueryClient();
  const fresh = () => emptyFields(groupId ?? "", plan);
  const { draft, setDraft, forget, isKept } = useDraft("new-job", fresh);
  const [isChecked, setChecked] = useState(false);
  const problems = isChecked ? checkFields(draft, plan) : {};
  const create = useMutation({
    mutationFn: () => call("POST /api/jobs/create", { body: inputOf(draft) }),
    onSuccess: async ({ message, job }) => {
      forget();
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.group(job.groupId) }),
        client.invalidateQueries({ queryKey: keys.groups }),
      ]);
      toast.success(message);
      onMade(job.groupId, job.id);
    },
  });
  function submit() {
    setChecked(true);
    if (Object.keys(checkFields(draft, plan)).length === 0 && !create.isPending) create.mutate();
  }
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="New Job"
      description="Watches one page. The first check starts at once."
      footer={
        <>
          {isKept && (
            <Button look="ghost" className="me-auto" onClick={() => forget(fresh())}>
              Start over
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" form="new-job" busy={create.isPending}>
            Create Job
          </Button>
        </>
      }
    >
      <form
        id="new-job"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <JobForm fields={draft} onChange={setDraft} problems={problems} groups={groups} plan={plan} />
        <CallProblem error={create.error} otherwise="The job could not be created. What you typed is kept." />
      </form>
    </Dialog>
  );
}
