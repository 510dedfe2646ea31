import { useId } from "react";
import { toPageUrl } from "#contract/page-url.ts";
import { plans } from "#plans/plans.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { PreviewField } from "../../preview/preview-field.tsx";
import type { SectionProps } from "./section-props.ts";

/** What is watched, how often, and in which group. */
export function GeneralSection({ fields, problems, put, plan, groups, jobId, onPick }: SectionProps) {
  const faster = plans.find(({ minimumMinutes }) => minimumMinutes < plan.minimumMinutes);
  return (
    <div className="grid grid-cols-1 gap-4">
      <Field
        label="Name"
        value={fields.name}
        onChange={(event) => put({ name: event.target.value })}
        error={problems.name}
        {...(!jobId && { hint: "Without a name, the job gets the page’s title." })}
        autoComplete="off"
        maxLength={200}
      />
      <Field
        label="URL"
        mono
        inputMode="url"
        placeholder="https://example.com/security.txt"
        value={fields.url}
        onChange={(event) => put({ url: event.target.value })}
        onBlur={() => {
          const url = toPageUrl(fields.url);
          if (url !== fields.url) put({ url });
        }}
        error={problems.url}
        autoComplete="off"
        spellCheck={false}
      />
      {!jobId && onPick && <PreviewField fields={fields} onPick={onPick} onUrl={(url) => put({ url })} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label="Group"
          value={fields.groupId}
          onChange={(groupId) => put({ groupId })}
          placeholder="Choose a group"
          options={groups.map(({ id, name }) => ({ value: id, label: name }))}
          error={problems.groupId}
        />
        <Field
          label="Frequency in minutes"
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          value={fields.frequency}
          onChange={(event) => put({ frequency: event.target.value })}
          error={problems.frequency}
          hint={`${plan.minimumMinutes} or more on the ${plan.name} plan.${
            faster ? ` ${faster.minimumMinutes} or more on ${faster.name}.` : ""
          }`}
        />
      </div>
      <SimilarityLevel />
    </div>
  );
}

/** Shown for information: the level can't be changed. */
function SimilarityLevel() {
  const sliderId = useId();
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between">
        <label htmlFor={sliderId} className="text-sm font-medium">
          Similarity level
        </label>
        <span className="figures text-sm text-muted">80%</span>
      </div>
      <input id={sliderId} type="range" min={0} max={100} value={80} disabled className="w-full opacity-60" />
      <p className="text-sm text-muted">
        Fixed: screenshots that are less than 80% alike count as a visual change. Text, HTML, status, headers
        and scripts are compared exactly after noise is removed.
      </p>
    </div>
  );
}
