import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import toast from "react-hot-toast";
import type { Plan } from "#plans/plans.ts";
import { call } from "#web/api/call.ts";
import { checkFields, fieldsOf, type JobFields, type Problems, toJobInput } from "../job-form/fields.ts";
import { refusedField } from "../job-form/form-problems.ts";
import {
  type JobSection,
  jobSections,
  pickKeys,
  sectionDiffers,
} from "../job-form/sections/job-sections.tsx";
import { useDraft } from "../job-form/use-draft.ts";
import { type Job, keys, updateCachedJob, useGroup } from "../queries.ts";

type Outcomes = { onMoved: (groupId: string) => void; onSavedAll: () => void };

/** The unsaved edits of a job's settings, and what saves or undoes them: one section, or all. */
export function useJobEditing(job: Job, plan: Plan, { onMoved, onSavedAll }: Outcomes) {
  const client = useQueryClient();
  const { draft, setDraft, forget } = useDraft(`job-${job.id}`, () => fieldsOf(job));
  const [checked, setChecked] = useState<readonly JobSection[]>([]);
  // Counts how often saving found a problem, so that the page can show it.
  const [problemCount, setProblemCount] = useState(0);
  const inherited = useGroup(draft.groupId || undefined).data?.settings ?? null;
  const fields = { ...draft, isScheduled: Boolean(inherited?.schedule) };
  const stored = fieldsOf(job);
  const edited = jobSections.filter((section) => sectionDiffers(section, fields, stored));
  const complete = completeFields(fields, job);
  // A frequency that the plan no longer allows may stay as long as it is not edited.
  const found = checkFields(complete, {
    ...plan,
    minimumMinutes: Math.min(plan.minimumMinutes, job.frequencyMinutes),
  });
  const saving = useMutation({
    mutationFn: (sections: readonly JobSection[]) =>
      call("PATCH /api/jobs/:jobId", {
        params: { jobId: job.id },
        body: pickKeys(
          toJobInput(complete),
          sections.flatMap(({ saves }) => saves),
        ),
      }),
    onSuccess: async ({ job: changed, message }, sections) => {
      const left = edited.filter((section) => !sections.includes(section));
      forget(fieldsOf(changed));
      if (left.length > 0) setDraft({ ...fieldsOf(changed), ...fieldsIn(left, fields) });
      setChecked([]);
      updateCachedJob(client, changed);
      if (changed.groupId !== job.groupId) {
        await Promise.all([
          client.invalidateQueries({ queryKey: ["group"] }),
          client.invalidateQueries({ queryKey: keys.groups }),
        ]);
        onMoved(changed.groupId);
      }
      toast.success(message);
    },
    onError: () => setProblemCount((count) => count + 1),
  });
  const refused = refusedField(saving.error);

  function save(sections: readonly JobSection[], onSaved?: () => void) {
    if (saving.isPending) return;
    setChecked(sections);
    if (Object.keys(fieldsIn(sections, found)).length > 0) setProblemCount(problemCount + 1);
    else if (sections.length > 0) saving.mutate(sections, { ...(onSaved && { onSuccess: onSaved }) });
    else onSaved?.();
  }

  return {
    fields,
    inherited,
    edited,
    saving,
    refused,
    problemCount,
    problems: {
      ...refused,
      ...fieldsIn(checked, found),
      ...(found.rows && { rows: found.rows }),
    } as Problems,
    put: (part: Partial<JobFields>) => {
      setDraft({ ...fields, ...part });
      if (saving.error) saving.reset();
    },
    save: (section: JobSection) => save([section]),
    saveAll: () => save(edited, onSavedAll),
    undo: (section: JobSection) => {
      setDraft({ ...fields, ...pickKeys(stored, section.fields) });
      if (saving.error) saving.reset();
    },
    undoAll: () => {
      forget(stored);
      setChecked([]);
      if (saving.error) saving.reset();
    },
  };
}

export type JobEditing = ReturnType<typeof useJobEditing>;

/** Left empty, these keep their current values. */
const completeFields = (fields: JobFields, job: Job): JobFields => ({
  ...fields,
  name: fields.name.trim() || job.name,
  url: fields.url.trim() || job.url,
  frequency: fields.frequency || String(job.frequencyMinutes),
});

/** Returns the entries that belong to fields of these sections. */
function fieldsIn<T extends object>(sections: readonly JobSection[], entries: T): Partial<T> {
  const names = new Set<string>(sections.flatMap(({ fields }) => fields));
  return Object.fromEntries(Object.entries(entries).filter(([name]) => names.has(name))) as Partial<T>;
}
