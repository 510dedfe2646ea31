import { useState } from "react";
import type { PageStep } from "#contract/page-steps.ts";
import { describeStep } from "#page-steps/describe-step.ts";
import { toRecording } from "#page-steps/to-recording.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import type { JobFields, Problems } from "../fields.ts";
import { FieldError } from "../list-end.tsx";
import { RecordingImport } from "./recording-import.tsx";
import { SecretList } from "./secret-list.tsx";
import { StepEditor } from "./step-editor.tsx";
import { changeChoice, checkStep } from "./step-fields.ts";
import { TrySteps } from "./try-steps.tsx";

type PageStepsProps = {
  fields: JobFields;
  problems: Problems;
  put: (part: Partial<JobFields>) => void;
  jobId?: string | undefined;
  /** The group's steps, which apply if there are none here. */
  inherited?: PageStep[] | null | undefined;
  /** A group has no page on which its steps could be tried. */
  isGroup?: boolean;
};

const maxSteps = 50;

/** What is done on the page before the capture: a list of steps, their secrets, and a trial with pictures. */
export function PageStepsSection({
  fields,
  problems,
  put,
  jobId,
  inherited,
  isGroup = false,
}: PageStepsProps) {
  const { pageSteps: steps, stepSecrets: secrets } = fields;
  const [edited, setEdited] = useState<number | null>(null);
  const [isImporting, setImporting] = useState(false);
  const all = steps.length > 0 ? steps : (inherited ?? []);
  const setSteps = (pageSteps: PageStep[]) => put({ pageSteps });
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <p className="text-sm text-muted">
        {inherited && inherited.length > 0 && steps.length === 0
          ? `Without steps of its own, the job uses the group’s ${countOf(inherited.length, "step")}.`
          : "Click, type and wait on the page before each capture, for example to sign in or to choose a shop. If a step fails, the check fails and nothing is compared."}
      </p>
      {steps.length > 0 && (
        <ol className="grid min-w-0 gap-2">
          {steps.map((step, at) => (
            <StepRow
              // Steps have no id, so the index is the key.
              key={at}
              step={step}
              at={at}
              isLast={at === steps.length - 1}
              isEdited={edited === at}
              onEdit={() => setEdited(edited === at ? null : at)}
              onChange={(changed) => setSteps(steps.with(at, changed))}
              onMove={(by) => {
                setSteps(steps.toSpliced(at, 1).toSpliced(at + by, 0, step));
                setEdited(edited === at ? at + by : null);
              }}
              onRemove={() => {
                setSteps(steps.toSpliced(at, 1));
                setEdited(null);
              }}
            />
          ))}
        </ol>
      )}
      <FieldError error={problems.pageSteps} />
      <div className="flex flex-wrap gap-2">
        {steps.length < maxSteps && (
          <Button
            size="sm"
            icon="plus"
            onClick={() => {
              setSteps([...steps, changeChoice("click")]);
              setEdited(steps.length);
            }}
          >
            Add a step
          </Button>
        )}
        <Button size="sm" icon="jobs" aria-expanded={isImporting} onClick={() => setImporting(!isImporting)}>
          Paste a recording
        </Button>
        {steps.length > 0 && (
          <Button size="sm" icon="download" onClick={() => saveRecording(fields.name, steps)}>
            Export as a recording
          </Button>
        )}
      </div>
      {isImporting && (
        <RecordingImport
          onClose={() => setImporting(false)}
          onSteps={(added, found) =>
            put({
              pageSteps: [...steps, ...added].slice(0, maxSteps),
              stepSecrets: [
                ...secrets.filter(({ name }) => !found.some((secret) => secret.name === name)),
                ...found,
              ],
            })
          }
        />
      )}
      <SecretList
        secrets={secrets}
        onChange={(stepSecrets) => put({ stepSecrets })}
        error={problems.stepSecrets}
      />
      {!isGroup && all.length > 0 && <TrySteps fields={fields} jobId={jobId} />}
    </div>
  );
}

type StepRowProps = {
  step: PageStep;
  at: number;
  isLast: boolean;
  isEdited: boolean;
  onEdit: () => void;
  onChange: (step: PageStep) => void;
  onMove: (by: number) => void;
  onRemove: () => void;
};

function StepRow({ step, at, isLast, isEdited, onEdit, onChange, onMove, onRemove }: StepRowProps) {
  const missing = checkStep(step);
  return (
    <li className="grid min-w-0 gap-3 rounded-control border border-line px-3 py-2">
      <div className="flex min-w-0 flex-wrap items-center gap-1">
        <span className="min-w-0 flex-1 basis-48 text-sm wrap-anywhere">
          {at + 1}. {describeStep(step)}
          {missing && !isEdited && <span className="block text-removed">{missing}</span>}
        </span>
        <span className="ms-auto flex gap-1">
          <IconButton icon="pencil" label={`Edit step ${at + 1}`} aria-expanded={isEdited} onClick={onEdit} />
          <IconButton
            icon="chevronDown"
            className="rotate-180"
            label={`Move step ${at + 1} up`}
            disabled={at === 0}
            onClick={() => onMove(-1)}
          />
          <IconButton
            icon="chevronDown"
            label={`Move step ${at + 1} down`}
            disabled={isLast}
            onClick={() => onMove(1)}
          />
          <IconButton icon="trash" label={`Remove step ${at + 1}`} onClick={onRemove} />
        </span>
      </div>
      {isEdited && <StepEditor step={step} at={at} onChange={onChange} />}
    </li>
  );
}

/** The number of steps in a few words. */
export function pageStepsNote(
  { pageSteps }: Pick<JobFields, "pageSteps">,
  inherited?: PageStep[] | null,
): string {
  if (pageSteps.length > 0) return countOf(pageSteps.length, "step");
  return inherited && inherited.length > 0 ? `group default: ${countOf(inherited.length, "step")}` : "none";
}

function saveRecording(name: string, steps: PageStep[]): void {
  const file = new Blob([toRecording(name || "Watchglass", steps)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = "recording.json";
  link.click();
  URL.revokeObjectURL(link.href);
}
