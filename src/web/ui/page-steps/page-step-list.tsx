import { useState } from "react";
import type { PageStep } from "#contract/page-steps.ts";
import { describeStep } from "#page-steps/describe-step.ts";
import { toRecording } from "#page-steps/to-recording.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { FieldError } from "#web/ui/field-error.tsx";
import { LiveViewDialog, type LiveViewDialogProps } from "#web/ui/live-view/live-view-dialog.tsx";
import type { NamedValue } from "../named-value.ts";
import { NamedValueList } from "../named-value-list.tsx";
import { type ReadRecording, RecordingImport } from "./recording-import.tsx";
import { StepEditor } from "./step-editor.tsx";
import { changeChoice, checkStep } from "./step-fields.ts";

type PageStepListProps = {
  /** The title of an exported recording. */
  name: string;
  steps: PageStep[];
  secrets: NamedValue[];
  readRecording: ReadRecording;
  problems: { steps?: string | undefined; secrets?: string | undefined };
  onChange: (changed: { steps?: PageStep[]; secrets?: NamedValue[] }) => void;
  /** Records steps in a live view; undefined where there is no page. */
  live?: Omit<LiveViewDialogProps, "onSteps" | "onClose"> & { isReady: boolean };
};

const maxSteps = 50;

/** Edits steps and their secrets; recordings can be pasted and exported. */
export function PageStepList({
  name,
  steps,
  secrets,
  readRecording,
  problems,
  onChange,
  live,
}: PageStepListProps) {
  const [edited, setEdited] = useState<number | null>(null);
  const [isImporting, setImporting] = useState(false);
  const [isRecording, setRecording] = useState(false);
  const addRecording = (added: PageStep[], found: NamedValue[]) =>
    onChange({
      steps: [...steps, ...added].slice(0, maxSteps),
      secrets: [
        ...secrets.filter(({ name: known }) => !found.some((secret) => secret.name === known)),
        ...found,
      ],
    });
  const setSteps = (changed: PageStep[]) => onChange({ steps: changed });
  return (
    <>
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
      <FieldError error={problems.steps} />
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
        {live && (
          <Button size="sm" icon="monitor" disabled={!live.isReady} onClick={() => setRecording(true)}>
            {live.title}
          </Button>
        )}
        <Button size="sm" icon="jobs" aria-expanded={isImporting} onClick={() => setImporting(!isImporting)}>
          Paste a recording
        </Button>
        {steps.length > 0 && (
          <Button size="sm" icon="download" onClick={() => saveRecording(name, steps)}>
            Export as a recording
          </Button>
        )}
      </div>
      {isImporting && (
        <RecordingImport read={readRecording} onClose={() => setImporting(false)} onSteps={addRecording} />
      )}
      {live && isRecording && (
        <LiveViewDialog {...live} onSteps={addRecording} onClose={() => setRecording(false)} />
      )}
      <NamedValueList
        label="Secrets"
        hint="Passwords that your steps type. They’re stored encrypted, never shown again and covered in the pictures of the steps."
        noun="secret"
        addLabel="Add a secret"
        firstName="password"
        isSecret
        values={secrets}
        onChange={(changed) => onChange({ secrets: changed })}
        error={problems.secrets}
      />
    </>
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

function saveRecording(name: string, steps: PageStep[]): void {
  const file = new Blob([toRecording(name || "Watchglass", steps)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = "recording.json";
  link.click();
  URL.revokeObjectURL(link.href);
}
