import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import toast from "react-hot-toast";
import { type Plan, planById } from "#contract/plans.ts";
import { ApiError } from "#web/api/call.ts";
import { type Me, useMe } from "#web/api/me.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { type Group, useGroup } from "../queries.ts";
import { CallProblem } from "./call-problem.tsx";
import { checkFields, fieldAt, type JobFields, type Problems, rowAt, withoutSecrets } from "./fields.ts";
import { JobForm } from "./job-form.tsx";
import { Learned } from "./learned.tsx";
import { useDraft } from "./use-draft.ts";

type JobDialogProps<Saved> = {
  /** Whose draft it is: of a new job, or of one job's settings. */
  name: string;
  title: string;
  description: string;
  action: string;
  /** Throws the draft away. */
  undo: string;
  otherwise: string;
  groups: Group[];
  jobId?: string;
  /** Whether the draft outlives a reload, but for what may be secret. */
  outlivesReload?: boolean;
  start: (plan: Plan) => JobFields;
  /** What is meant by what was typed, and by which plan it is judged. */
  complete?: (fields: JobFields) => JobFields;
  allow?: (plan: Plan) => Plan;
  save: (fields: JobFields) => Promise<Saved>;
  onSaved: (saved: Saved) => Promise<void>;
  onClose: () => void;
  onPick?: (previewId?: string) => void;
  onTry?: () => void;
};

/** Every field of a job, to make one or to change one. */
export function JobDialog<Saved extends { message: string }>(props: JobDialogProps<Saved>) {
  const { data: me } = useMe();
  return me && <Form {...props} me={me} />;
}

function Form<Saved extends { message: string }>(props: JobDialogProps<Saved> & { me: Me }) {
  const { me, name, title, description, action, undo, otherwise, groups, jobId, onClose } = props;
  const plan = planById(me.planId);
  const start = () => props.start(plan);
  const keep = props.outlivesReload ? { key: `draft:${me.id}:${name}`, part: withoutSecrets } : undefined;
  const { draft, setDraft, forget, isKept } = useDraft(name, start, keep);
  const [isChecked, setChecked] = useState(false);
  const inherited = useGroup(draft.groupId || undefined).data?.settings;
  const fields = { ...draft, isScheduled: Boolean(inherited?.schedule) };
  const wanted = props.complete?.(fields) ?? fields;
  const found = checkFields(wanted, props.allow?.(plan) ?? plan);
  const saving = useMutation({
    mutationFn: () => props.save(wanted),
    onSuccess: async (saved) => {
      forget();
      await props.onSaved(saved);
      toast.success(saved.message);
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
      title={title}
      description={description}
      footer={
        <>
          {isKept && (
            <Button look="ghost" className="me-auto" onClick={() => forget(start())}>
              {undo}
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" form="job" busy={saving.isPending}>
            {action}
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
          onChange={(next) => {
            setDraft(next);
            if (saving.error) saving.reset();
          }}
          problems={{ ...refused, ...(isChecked ? found : {}) }}
          groups={groups}
          plan={plan}
          jobId={jobId}
          {...(props.onPick && { onPick: props.onPick })}
          {...(props.onTry && { onTry: props.onTry })}
          inherited={inherited}
        />
        {!refused && <CallProblem error={saving.error} otherwise={otherwise} />}
      </form>
      {jobId && <Learned jobId={jobId} />}
    </Dialog>
  );
}

/** What the server refused, at its field; undefined when it is about none. */
function refusedField(error: Error | null): Problems | undefined {
  if (!(error instanceof ApiError) || !error.field) return undefined;
  const name = fieldAt(error.field);
  const row = rowAt(error.field);
  return name && { [name]: error.message, ...(row === undefined ? {} : { rows: { [name]: row } }) };
}

/** The form is longer than the screen: what is wrong comes into sight. */
function showProblem(form: HTMLFormElement | null): void {
  const first = form?.querySelector<HTMLElement>("[aria-invalid=true], [role=alert]");
  first?.focus({ preventScroll: true });
  first?.scrollIntoView({ block: "center" });
}
