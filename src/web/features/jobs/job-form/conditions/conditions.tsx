import { useRef } from "react";
import { flushSync } from "react-dom";
import { type ConditionKind, conditionKinds, conditionNames } from "#alert-conditions/condition-kinds.ts";
import { describeCondition } from "#alert-conditions/describe-condition.ts";
import type { AlertIf } from "#contract/alert-if.ts";
import type { ReasonKind, Severity } from "#detection/verdict/verdict.ts";
import { IconButton } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { FieldError } from "#web/ui/field-error.tsx";
import { Select } from "#web/ui/select.tsx";
import { WithCode } from "../../rules/rule-help.tsx";
import type { JobFields, Problems } from "../fields.ts";
import { ListEnd } from "../list-end.tsx";
import { type ConditionField, isLimit, newCondition } from "./condition-fields.ts";
import { LimitDetails } from "./limit-details.tsx";

const maximum = 20;

const kindNames: Partial<Record<ReasonKind, string>> = {
  text: "Text",
  title: "Title",
  link: "Link",
  script: "Script",
  form: "Form",
  frame: "Frame",
  header: "Header",
  cookie: "Cookie",
  status: "Status",
  redirect: "Redirect",
  contact: "Contact",
  control: "Control",
  label: "Label",
  data: "Data",
  meta: "Meta",
  content: "Content",
  picture: "Picture",
  value: "Number",
  lookup: "Text lookup",
  "hidden-text": "Hidden text",
  refresh: "Refresh",
  lure: "Spam",
  "ai-instruction": "Instruction to AI",
  outage: "Outage",
  defacement: "Defacement",
};

const severityNames: Record<Severity, string> = {
  info: "Info",
  notice: "Notice",
  important: "Important",
  critical: "Critical",
};

const sortOptions = conditionNames.map((value) => ({ value, label: conditionKinds[value].label }));

export const cell =
  "h-8 w-full min-w-0 rounded-control border bg-surface px-2.5 text-base placeholder:text-quiet";

type ConditionsProps = {
  fields: JobFields;
  problems: Problems;
  put: (part: Partial<JobFields>) => void;
  /** The conditions that the job inherits from its group. */
  inherited?: AlertIf | null;
  /** Names of the values that conditions may use; by default those that the job follows. */
  names?: string[];
};

/** Edits which changes are alerted: a list of conditions of which all or any must hold. */
export function Conditions(props: ConditionsProps) {
  const { fields, problems, put, inherited = null } = props;
  const { conditions, alertMatch } = fields;
  const list = useRef<HTMLFieldSetElement>(null);
  const isInherited = inherited !== null && inherited.conditions.length > 0;
  const names = props.names ?? fields.values.map(({ name }) => name).filter(Boolean);
  const change = (at: number, part: Partial<ConditionField>) =>
    put({ conditions: conditions.map((one, i) => (i === at ? { ...one, ...part } : one)) });
  function add() {
    flushSync(() => put({ conditions: [...conditions, { ...newCondition, name: names[0] ?? "" }] }));
    list.current
      ?.querySelectorAll<HTMLElement>("[data-row] select:first-of-type")
      [conditions.length]?.focus();
  }
  function remove(at: number) {
    flushSync(() => put({ conditions: conditions.filter((_, i) => i !== at) }));
    list.current?.querySelector<HTMLElement>("[data-add]")?.focus();
  }
  return (
    <fieldset ref={list} className="grid min-w-0 grid-cols-1 gap-3">
      <legend className="sr-only">Alert only if</legend>
      <p className="text-sm text-muted">
        {conditions.length > 0
          ? "Other changes are recorded, with the reason why no alert was sent."
          : isInherited && !fields.alertAll
            ? "The group’s conditions apply. Conditions added here replace them."
            : "Every change is alerted. If you add conditions, other changes are still recorded, but send no alert and fire no trigger."}
      </p>
      {isInherited && conditions.length === 0 && (
        <label className="flex items-start gap-2 text-sm">
          <input
            type="checkbox"
            checked={!fields.alertAll}
            onChange={(event) => put({ alertAll: !event.target.checked })}
            className="mt-0.5 size-4 accent-accent-text"
          />
          <span>
            Group default
            <span className="block text-muted">
              {inherited.conditions.map(describeCondition).join(inherited.match === "all" ? " and " : " or ")}
            </span>
          </span>
        </label>
      )}
      {conditions.length > 1 && (
        <div className="flex flex-wrap gap-x-4 gap-y-1.5 text-sm whitespace-nowrap max-sm:grid">
          {(["all", "any"] as const).map((match) => (
            <label key={match} className="flex items-center gap-1.5">
              <input
                type="radio"
                name="match"
                checked={alertMatch === match}
                onChange={() => put({ alertMatch: match })}
                className="size-4 shrink-0 accent-accent-text"
              />
              {match === "all" ? "all of these are met" : "any of these is met"}
            </label>
          ))}
        </div>
      )}
      {conditions.map((condition, at) => (
        // Rows have no id, so the index is the key.
        <Row
          key={at}
          at={at}
          condition={condition}
          names={names}
          error={problems.rows?.conditions === at ? problems.conditions : undefined}
          onChange={(part) => change(at, part)}
          onRemove={() => remove(at)}
        />
      ))}
      <ListEnd
        label="Add Condition"
        isFull={conditions.length >= maximum}
        onAdd={add}
        error={problems.rows?.conditions === undefined ? problems.conditions : undefined}
      />
    </fieldset>
  );
}

type RowProps = {
  at: number;
  condition: ConditionField;
  names: string[];
  error: string | undefined;
  onChange: (part: Partial<ConditionField>) => void;
  onRemove: () => void;
};

function Row({ at, condition, names, error, onChange, onRemove }: RowProps) {
  const { sort } = condition;
  const labelSuffix = `of condition ${at + 1}`;
  return (
    <div data-row className="grid grid-cols-1 gap-1.5 rounded-control bg-sunken p-2">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 sm:grid-cols-[15rem_minmax(0,1fr)_auto]">
        <Select
          label={`Sort ${labelSuffix}`}
          hideLabel
          value={sort}
          onChange={(next) => onChange({ sort: next as ConditionKind })}
          options={sortOptions}
          className="max-sm:col-start-1"
        />
        <div className="max-sm:col-span-2 max-sm:row-start-2">
          <Details
            condition={condition}
            names={names}
            labelSuffix={labelSuffix}
            isWrong={error !== undefined}
            onChange={onChange}
          />
        </div>
        <IconButton
          icon="close"
          label={`Remove condition ${at + 1}`}
          onClick={onRemove}
          className="max-sm:col-start-2 max-sm:row-start-1"
        />
      </div>
      <p className="text-sm text-muted">
        Met if <WithCode text={conditionKinds[sort].means} />.
      </p>
      <FieldError error={error} />
    </div>
  );
}

type DetailsProps = {
  condition: ConditionField;
  names: string[];
  labelSuffix: string;
  isWrong: boolean;
  onChange: (part: Partial<ConditionField>) => void;
};

function Details({ condition, names, labelSuffix, isWrong, onChange }: DetailsProps) {
  const { sort, text, name, percent, atLeast, kinds } = condition;
  const edge = isWrong ? "border-danger" : "border-edge";
  if (sort === "severity") {
    return (
      <Select
        label={`Severity ${labelSuffix}`}
        hideLabel
        value={atLeast}
        onChange={(next) => onChange({ atLeast: next as Severity })}
        options={(["notice", "important", "critical"] as const).map((value) => ({
          value,
          label: severityNames[value],
        }))}
      />
    );
  }
  if (sort === "reason")
    return <Kinds kinds={kinds} labelSuffix={labelSuffix} onChange={(next) => onChange({ kinds: next })} />;
  if (sort.startsWith("only")) return null;
  if (isLimit(sort))
    return (
      <LimitDetails
        condition={condition}
        labelSuffix={labelSuffix}
        look={cx(cell, edge)}
        onChange={onChange}
      />
    );
  if (sort.startsWith("number")) {
    const isMove = sort === "number up" || sort === "number down";
    return (
      <div className="flex flex-wrap gap-2">
        <Select
          label={`Number ${labelSuffix}`}
          hideLabel
          value={names.includes(name) ? name : ""}
          placeholder={names.length === 0 ? "No numbers followed yet" : "Which number"}
          onChange={(next) => onChange({ name: next })}
          options={names.map((value) => ({ value, label: value }))}
          className="min-w-28 flex-1"
        />
        <input
          aria-label={`Amount ${labelSuffix}`}
          aria-invalid={isWrong || undefined}
          inputMode="decimal"
          placeholder={isMove ? "any" : "49.90"}
          value={text}
          onChange={(event) => onChange({ text: event.target.value })}
          className={cx(cell, edge, "max-w-20 font-mono text-sm")}
          autoComplete="off"
        />
        {isMove && (
          <Select
            label={`Unit ${labelSuffix}`}
            hideLabel
            value={percent ? "percent" : "amount"}
            onChange={(next) => onChange({ percent: next === "percent" })}
            options={[
              { value: "amount", label: "or more" },
              { value: "percent", label: "% or more" },
            ]}
            className="w-32"
          />
        )}
      </div>
    );
  }
  return (
    <input
      aria-label={`${sort === "status" ? "Status" : "Text"} ${labelSuffix}`}
      aria-invalid={isWrong || undefined}
      placeholder={sort === "status" ? "404 or 5xx" : "sold out, or /pattern/"}
      value={text}
      onChange={(event) => onChange({ text: event.target.value })}
      className={cx(cell, edge)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

type KindsProps = { kinds: ReasonKind[]; labelSuffix: string; onChange: (kinds: ReasonKind[]) => void };

function Kinds({ kinds, labelSuffix, onChange }: KindsProps) {
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">Kinds {labelSuffix}</legend>
      {Object.entries(kindNames).map(([kind, label]) => {
        const isOn = kinds.includes(kind as ReasonKind);
        return (
          <button
            key={kind}
            type="button"
            aria-pressed={isOn}
            onClick={() =>
              onChange(isOn ? kinds.filter((one) => one !== kind) : [...kinds, kind as ReasonKind])
            }
            className={cx(
              "h-7 rounded-control border px-2 text-sm transition-colors",
              isOn
                ? "border-accent-text bg-accent-bg text-accent-text"
                : "border-line-strong bg-surface text-muted hover:text-ink",
            )}
          >
            {label}
          </button>
        );
      })}
    </fieldset>
  );
}
