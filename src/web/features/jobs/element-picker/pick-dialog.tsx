import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { planById } from "#plans/plans.ts";
import { type Me, useMe } from "#web/api/me.ts";
import { useUrlParams } from "#web/ui/urls/use-url-params.ts";
import { emptyFields, fieldsOf, type JobFields, withoutSecrets } from "../job-form/fields.ts";
import { useDraft } from "../job-form/use-draft.ts";
import type { Job } from "../queries.ts";
import { type PickablePage, pickableExecution, pickablePreview } from "../rules/source.ts";
import { alertOn, followNumber, ignorePart, watchOnly } from "./picked-changes.ts";
import { Picker } from "./picker.tsx";
import { pickedKey } from "./use-focus-picked-rule.ts";
import { useRuleChange } from "./use-rule-change.ts";

type PickDialogProps = { job: Job | undefined; groupId: string | undefined };

/** 'Pick on the page': for the new job if the URL names a preview, else for the selected job. */
export function PickDialog({ job, groupId }: PickDialogProps) {
  const [search, change] = useUrlParams();
  const { data: me } = useMe();
  const previewId = search.get("preview");
  if (!me) return null;
  if (previewId) {
    return (
      <Pick
        name="new-job"
        start={() => emptyFields(groupId ?? "", planById(me.planId))}
        keep={draftStorageOf(me, "new-job")}
        ground={pickablePreview(previewId)}
        onDone={() => change({ dialog: "new-job", preview: null }, true)}
        onBack={() => change({ dialog: "new-job", preview: null }, true)}
      />
    );
  }
  const shownId = search.get("execution") ?? job?.executions.find(({ hasImage }) => hasImage)?.id;
  if (!job || !shownId) return null;
  const back = search.get("execution") || search.get("back") === "job" ? null : "settings";
  return (
    <PickForJob
      job={job}
      name={`job-${job.id}`}
      start={() => fieldsOf(job)}
      ground={pickableExecution(job.id, shownId)}
      onDone={() => change({ dialog: "settings", back: null }, true)}
      onBack={() => change({ dialog: back, back: null }, true)}
    />
  );
}

const draftStorageOf = (me: Me, name: string) => ({ key: `draft:${me.id}:${name}`, part: withoutSecrets });

/** A pick for a job that exists is saved at once, unless its settings have unsaved changes: then it joins them. */
function PickForJob({ job, ...props }: PickProps & { job: Job }) {
  const client = useQueryClient();
  const [hasDraft] = useState(() => client.getQueryData(["draft", props.name]) !== undefined);
  const change = useRuleChange(job.id, props.onBack);
  if (hasDraft) return <Pick {...props} />;
  return (
    <Picker
      ground={props.ground}
      isBusy={change.isPending}
      onWatch={(selector) => change.mutate(watchOnly(job, selector))}
      onIgnore={(selector) => change.mutate(ignorePart(job, selector))}
      onFollow={(selector, text) => change.mutate(followNumber(job, selector, text))}
      onAlert={(selector, text, alert) => change.mutate(alertOn(job, selector, text, alert))}
      onClose={props.onBack}
    />
  );
}

type PickProps = {
  name: string;
  start: () => JobFields;
  keep?: { key: string; part: (fields: JobFields) => JobFields };
  ground: PickablePage;
  onDone: () => void;
  onBack: () => void;
};

function Pick({ name, start, keep, ground, onDone, onBack }: PickProps) {
  const { draft, setDraft } = useDraft(name, start, keep);
  const client = useQueryClient();
  const put = (part: Partial<JobFields>) => {
    setDraft({ ...draft, ...part });
    client.setQueryData(pickedKey, Object.keys(part)[0]);
    onDone();
  };
  return (
    <Picker
      ground={ground}
      onWatch={(selector) => put({ selector })}
      onIgnore={(selector) => put({ ignore: withLine(draft.ignore, selector) })}
      onClose={onBack}
    />
  );
}

function withLine(text: string, line: string): string {
  const lines = text.split("\n").filter((one) => one.trim() !== "");
  return lines.includes(line) ? text : [...lines, line].join("\n");
}
