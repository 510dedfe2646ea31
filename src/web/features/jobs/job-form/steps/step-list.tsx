import type { ReactNode } from "react";
import { type StepKind, stepKinds, type TextStep } from "#detection/selectors-and-ignore-rules/step-kinds.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { cx } from "#web/ui/cx.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { WithCode } from "../../rules/rule-help.tsx";
import type { PreviewedLines } from "../../rules/source.ts";

type StepListProps = {
  steps: TextStep[];
  onChange: (steps: TextStep[]) => void;
  problem: string | undefined;
  /** The lines before the first step and after each one, on the newest capture. */
  preview?: PreviewedLines[] | undefined;
  /** How many steps the job inherits from its group if it has none. */
  inheritedSteps?: number;
};

const kinds = Object.keys(stepKinds) as StepKind[];
const options = kinds.map((kind) => ({ value: kind, label: stepKinds[kind].label }));
const maxSteps = 20;

const fieldLabels: Record<StepKind, [text: string, to: string]> = {
  keep: ["Text or /pattern/", ""],
  drop: ["Text or /pattern/", ""],
  capture: ["/Pattern/", "As (optional)"],
  between: ["From the line with", "To the line with"],
  replace: ["Text or /pattern/", "By"],
  trim: ["", ""],
  sort: ["", ""],
  reverse: ["", ""],
  unique: ["", ""],
  repeated: ["", ""],
  first: ["Lines", ""],
  last: ["Lines", ""],
};

/** The steps in their order, each with the lines that it leaves of the newest capture. */
export function StepList({ steps, onChange, problem, preview, inheritedSteps = 0 }: StepListProps) {
  const put = (at: number, part: Partial<TextStep>) =>
    onChange(steps.map((step, i) => (i === at ? { ...step, ...part } : step)));
  const move = (at: number, by: number) => {
    const [step] = steps.slice(at, at + 1);
    const others = steps.filter((_, i) => i !== at);
    if (step) onChange(others.toSpliced(at + by, 0, step));
  };
  const hint =
    inheritedSteps > 0
      ? `Without steps of its own, the job uses the group’s ${countOf(inheritedSteps, "step")}.`
      : "Text steps change the lines of text before they are compared, from top to bottom. With steps, the picture isn’t compared.";
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-1.5 text-sm font-medium">Text steps</legend>
      <p className="text-sm text-muted">{hint}</p>
      {steps.length > 0 && (
        <Lines title="Before the first step" of={preview?.[0]} isOpen={steps.length === 1} />
      )}
      <ol className="grid min-w-0 gap-3">
        {steps.map((step, at) => (
          // Steps have no id, so the index is the key.
          <li key={at} className="grid min-w-0 gap-2 rounded-control border border-line p-3">
            <StepFields step={step} at={at} put={(part) => put(at, part)}>
              <div className="-mt-1 flex shrink-0 gap-1">
                <IconButton
                  icon="chevronDown"
                  className="rotate-180"
                  label={`Move step ${at + 1} up`}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                />
                <IconButton
                  icon="chevronDown"
                  label={`Move step ${at + 1} down`}
                  disabled={at === steps.length - 1}
                  onClick={() => move(at, 1)}
                />
                <IconButton
                  icon="trash"
                  label={`Remove step ${at + 1}`}
                  onClick={() => onChange(steps.toSpliced(at, 1))}
                />
              </div>
            </StepFields>
            <Lines
              title={`After step ${at + 1}`}
              of={preview?.[at + 1]}
              before={preview?.[at]}
              isOpen={at === steps.length - 1}
              isUnfinished={isUnfinished(step)}
            />
          </li>
        ))}
      </ol>
      {problem && <p className="text-sm text-removed">{problem}</p>}
      {steps.length < maxSteps && (
        <Button
          size="sm"
          icon="plus"
          className="justify-self-start"
          onClick={() => onChange([...steps, { do: "keep", text: "", to: "" }])}
        >
          Add a text step
        </Button>
      )}
    </fieldset>
  );
}

/** Whether its text is still to be entered, which is no mistake yet. */
const isUnfinished = ({ do: kind, text }: TextStep) =>
  stepKinds[kind].fields.length > 0 && text.trim() === "";

type StepFieldsProps = {
  step: TextStep;
  at: number;
  put: (part: Partial<TextStep>) => void;
  /** Buttons that move or remove the step. */
  children: ReactNode;
};

function StepFields({ step, at, put, children }: StepFieldsProps) {
  const { fields, means } = stepKinds[step.do];
  const names: readonly string[] = fields;
  const [textLabel, toLabel] = fieldLabels[step.do];
  return (
    <>
      <div className="grid min-w-0 items-start gap-3 sm:grid-cols-2">
        <Select
          label={`Step ${at + 1}`}
          value={step.do}
          onChange={(kind) => put({ do: kind as StepKind })}
          options={options}
        />
        {names.includes("text") && (
          <Field
            label={textLabel}
            mono
            value={step.text}
            onChange={(event) => put({ text: event.target.value })}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {names.includes("to") && (
          <Field
            label={toLabel}
            mono
            value={step.to}
            onChange={(event) => put({ to: event.target.value })}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </div>
      <div className="flex min-w-0 items-start justify-between gap-3">
        <p className="min-w-0 text-sm text-muted">
          <WithCode text={`${means.charAt(0).toUpperCase()}${means.slice(1)}.`} />
        </p>
        {children}
      </div>
    </>
  );
}

type LinesProps = {
  title: string;
  of: PreviewedLines | undefined;
  before?: PreviewedLines | undefined;
  isOpen: boolean;
  isUnfinished?: boolean;
};

/** Some lines of the newest capture; they scroll where there are many. */
function Lines({ title, of, before, isOpen, isUnfinished = false }: LinesProps) {
  if (!of) return null;
  if ("problem" in of)
    return (
      <p className={cx("text-sm wrap-anywhere", isUnfinished ? "text-muted" : "text-removed")}>
        {of.problem}
      </p>
    );
  const isFewer = before && "count" in before && before.count > of.count;
  const count = isFewer ? `${of.count} of ${countOf(before.count, "line")}` : countOf(of.count, "line");
  const more = of.count - of.lines.length;
  return (
    <details open={isOpen} className="min-w-0 text-sm">
      <summary className="cursor-pointer text-muted">
        {title}: {count}
      </summary>
      {/* The list scrolls, so the keyboard must reach it. */}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={title}
        className="mt-1 max-h-36 min-w-0 overflow-auto rounded-control bg-sunken p-2 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
      >
        {of.lines.join("\n")}
        {more > 0 && `\n… and ${more} more`}
      </pre>
    </details>
  );
}
