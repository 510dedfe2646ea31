import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import toast from "react-hot-toast";
import { planById } from "#plans/plans.ts";
import { call } from "#web/api/call.ts";
import { type Me, useMe } from "#web/api/me.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { type Group, keys, useGroup } from "../queries.ts";
import { CallProblem } from "./call-problem.tsx";
import { checkFields, emptyFields, toJobInput, withoutSecrets } from "./fields.ts";
import { refusedField, showProblem } from "./form-problems.ts";
import { JobForm } from "./job-form.tsx";
import { useDraft } from "./use-draft.ts";

type NewJobProps = {
  groups: Group[];
  groupId: string;
  onClose: () => void;
  onMade: (groupId: string, jobId: string) => void;
  onPick: (previewId?: string) => void;
};

export function NewJob(props: NewJobProps) {
  const { data: me } = useMe();
  return me && <Form {...props} me={me} />;
}

function Form({ me, groups, groupId, onClose, onMade, onPick }: NewJobProps & { me: Me }) {
  const client = useQueryClient();
  const plan = planById(me.planId);
  const start = () => emptyFields(groupId, plan);
  // The draft survives a reload, except for what may be secret.
  const { draft, setDraft, forget, isKept } = useDraft("new-job", start, {
    key: `draft:${me.id}:new-job`,
    part: withoutSecrets,
  });
  const [isChecked, setChecked] = useState(false);
  const inherited = useGroup(draft.groupId || undefined).data?.settings ?? null;
  const fields = { ...draft, isScheduled: Boolean(inherited?.schedule) };
  const found = checkFields(fields, plan);
  const saving = useMutation({
    mutationFn: () => call("POST /api/jobs/create", { body: toJobInput(fields) }),
    onSuccess: async ({ job, message }) => {
      forget();
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.group(job.groupId) }),
        client.invalidateQueries({ queryKey: keys.groups }),
      ]);
      onMade(job.groupId, job.id);
      toast.success(message);
    },
  });
  const refused = refusedField(saving.error);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (saving.error) showProblem(form.current);
  }, [saving.error]);
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="New Job"
      description="A job watches one page. The first check starts right away."
      footer={
        <>
          {isKept && (
            <Button look="ghost" className="me-auto" onClick={() => forget(start())}>
              Start over
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" form="job" busy={saving.isPending}>
            Create Job
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id="job"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (Object.keys(found).length > 0) {
            flushSync(() => setChecked(true));
            showProblem(form.current);
          } else if (!saving.isPending) saving.mutate();
        }}
      >
        <JobForm
          fields={fields}
          put={(part) => {
            setDraft({ ...fields, ...part });
            if (saving.error) saving.reset();
          }}
          problems={{ ...refused, ...(isChecked ? found : {}) }}
          groups={groups}
          plan={plan}
          jobId={undefined}
          inherited={inherited}
          onPick={onPick}
        />
        {!refused && (
          <CallProblem
            error={saving.error}
            otherwise="The job could not be created. What you typed is kept."
          />
        )}
      </form>
    </Dialog>
  );
}
