import type { PageStep } from "#contract/page-steps.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { changeChoice, choiceOf, fromLines, type StepChoice, stepChoices, toLines } from "./step-fields.ts";

type StepEditorProps = { step: PageStep; at: number; onChange: (step: PageStep) => void };

const options = (Object.keys(stepChoices) as StepChoice[]).map((value) => ({
  value,
  label: stepChoices[value],
}));
const mono = { mono: true, autoComplete: "off", spellCheck: false } as const;

/** The fields of one step. */
export function StepEditor({ step, at, onChange }: StepEditorProps) {
  const choice = choiceOf(step);
  return (
    <div className="grid min-w-0 gap-3">
      <Select
        label={`Step ${at + 1}`}
        value={choice}
        onChange={(value) => onChange(changeChoice(value as StepChoice, step))}
        options={options}
      />
      {choice !== "text" && "selectors" in step && step.selectors && (
        <TextArea
          label="Element"
          mono
          rows={2}
          placeholder={"#sign-in\naria/Sign in\ntext/Sign in"}
          hint="CSS selectors, or aria/, text/ or xpath/. One per line: the best one that finds the element is used."
          value={toLines(step.selectors)}
          onChange={(event) => onChange({ ...step, selectors: fromLines(event.target.value) } as PageStep)}
          spellCheck={false}
        />
      )}
      <StepValue step={step} onChange={onChange} />
    </div>
  );
}

function StepValue({ step, onChange }: Pick<StepEditorProps, "step" | "onChange">) {
  switch (step.type) {
    case "navigate":
      return (
        <Field
          label="URL"
          {...mono}
          inputMode="url"
          placeholder="https://example.com/account"
          value={step.url}
          onChange={(event) => onChange({ ...step, url: event.target.value })}
        />
      );
    case "change":
      return (
        <Field
          label="Text to type, or option to select"
          {...mono}
          hint="Write {{secret.password}} for the secret password, or {{totp.key}} for a one-time code made from the secret key."
          value={step.value}
          onChange={(event) => onChange({ ...step, value: event.target.value })}
        />
      );
    case "keyDown":
    case "keyUp":
      return (
        <Field
          label="Key"
          {...mono}
          placeholder="Enter"
          value={step.key}
          onChange={(event) => onChange({ ...step, key: event.target.value })}
        />
      );
    case "waitForElement":
      return choiceOf(step) === "text" ? (
        <Field
          label="Text"
          placeholder="Welcome back"
          value={(step.selectors[0]?.[0] ?? "").slice("text/".length)}
          onChange={(event) => onChange({ ...step, selectors: [[`text/${event.target.value}`]] })}
          autoComplete="off"
        />
      ) : null;
    case "scroll":
      return (
        <Field
          label="Pixels from the top"
          type="number"
          inputMode="numeric"
          min={0}
          value={step.y ?? 0}
          onChange={(event) => onChange({ ...step, y: Number(event.target.value) })}
        />
      );
    case "setViewport":
      return (
        <div className="grid grid-cols-2 gap-3">
          {(["width", "height"] as const).map((side) => (
            <Field
              key={side}
              label={side === "width" ? "Width" : "Height"}
              type="number"
              inputMode="numeric"
              min={200}
              value={step[side]}
              onChange={(event) => onChange({ ...step, [side]: Number(event.target.value) })}
            />
          ))}
        </div>
      );
    case "customStep":
      return step.name === "waitForUrl" ? (
        <Field
          label="Part of the URL"
          {...mono}
          placeholder="/account/*"
          hint="* stands for anything."
          value={step.parameters.url ?? ""}
          onChange={(event) => onChange({ ...step, parameters: { url: event.target.value } })}
        />
      ) : null;
    default:
      return null;
  }
}
