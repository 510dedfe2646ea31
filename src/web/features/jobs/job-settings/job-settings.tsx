import { useEffect, useRef } from "react";
import { planById } from "#plans/plans.ts";
import { type Me, useMe } from "#web/api/me.ts";
import { Button } from "#web/ui/button.tsx";
import { PageDialog } from "#web/ui/dialog.tsx";
import { CallProblem } from "../job-form/call-problem.tsx";
import { showProblem } from "../job-form/form-problems.ts";
import { type JobSection, jobSections } from "../job-form/sections/job-sections.tsx";
import { Learned } from "../learned-noise/learned.tsx";
import type { Group, Job } from "../queries.ts";
import { inheritanceOf } from "./inheritance.ts";
import { SectionNav } from "./section-nav.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { type JobEditing, useJobEditing } from "./use-job-editing.ts";

type JobSettingsProps = {
  job: Job;
  groups: Group[];
  onClose: () => void;
  onMoved: (groupId: string) => void;
  onPick: () => void;
  onTry: () => void;
};

/** A job's settings: a page of sections, each of which can be saved by itself. */
export function JobSettings(props: JobSettingsProps) {
  const { data: me } = useMe();
  return me && <SettingsPage {...props} me={me} />;
}

function SettingsPage(props: JobSettingsProps & { me: Me }) {
  const { job, me, onClose, onMoved, onTry } = props;
  const plan = planById(me.planId);
  const editing = useJobEditing(job, plan, { onMoved, onSavedAll: onClose });
  const { edited, saving, saveAll, undoAll } = editing;
  const page = useRef<HTMLDivElement>(null);
  const { problemCount } = editing;
  useEffect(() => {
    if (problemCount > 0) showProblem(page.current);
  }, [problemCount]);
  return (
    <PageDialog
      onClose={onClose}
      title="Job Settings"
      description="Changes apply from the next check. A new URL starts a new comparison; the history is kept."
      nav={
        <SectionNav
          sections={[...jobSections, { id: "noise", title: "Learned noise" }]}
          edited={edited.map(({ id }) => id)}
          page={page}
        />
      }
      footer={
        <>
          {job.executionsTotal > 0 && (
            <Button
              icon="clock"
              className="me-auto"
              title="Which alerts would these rules, numbers and conditions have sent for past checks? Nothing is saved."
              onClick={onTry}
            >
              Test on history
            </Button>
          )}
          {edited.length > 0 && (
            <Button look="ghost" onClick={undoAll}>
              Undo edits
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" busy={saving.isPending} onClick={saveAll}>
            Update Job
          </Button>
        </>
      }
      content={page}
    >
      <div className="grid grid-cols-1 gap-4">
        {jobSections.map((section) => (
          <EditedSection key={section.id} section={section} editing={editing} {...props} />
        ))}
        <SettingsSection id="noise" title="Learned noise">
          <Learned jobId={job.id} />
        </SettingsSection>
      </div>
    </PageDialog>
  );
}

type EditedSectionProps = JobSettingsProps & { me: Me; section: JobSection; editing: JobEditing };

function EditedSection({ section, editing, job, groups, me, onPick }: EditedSectionProps) {
  const { fields, problems, put, inherited, edited, saving, save, undo, refused } = editing;
  const isEdited = edited.includes(section);
  const isSaving = saving.isPending && saving.variables.includes(section);
  const hasFailed = saving.error && !refused && saving.variables?.[0] === section;
  return (
    <SettingsSection
      id={section.id}
      title={section.title}
      note={section.note(fields, inherited)}
      inheritance={inheritanceOf(section, fields, inherited)}
      groupName={job.group.name}
      onSubmit={() => save(section)}
      footer={
        isEdited && (
          <>
            <span className="me-auto text-sm text-muted">Not saved yet</span>
            <Button size="sm" look="ghost" onClick={() => undo(section)}>
              Undo
            </Button>
            <Button size="sm" type="submit" busy={isSaving}>
              Save section
            </Button>
          </>
        )
      }
    >
      {section.render({
        fields,
        problems,
        put,
        plan: planById(me.planId),
        groups,
        jobId: job.id,
        inherited,
        onPick: job.executions.some(({ hasImage }) => hasImage) ? onPick : undefined,
      })}
      {hasFailed && (
        <CallProblem error={saving.error} otherwise="The job could not be updated. Nothing was changed." />
      )}
    </SettingsSection>
  );
}
