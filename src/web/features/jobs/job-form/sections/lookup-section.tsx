import { PlanNote } from "#web/ui/plan-note.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import type { SectionProps } from "./section-props.ts";

/** Alerts about texts that appear or disappear. */
export function LookupSection({ fields, problems, plan, put }: SectionProps) {
  const isLocked = !plan.textLookup;
  return (
    <div className="grid gap-3">
      <TextArea
        label="Text lookup"
        rows={2}
        placeholder={isLocked ? undefined : "in stock"}
        disabled={isLocked}
        hint={
          isLocked ? undefined : "Get an alert when one of these texts appears or disappears. One per line."
        }
        value={fields.lookupStrings}
        onChange={(event) => put({ lookupStrings: event.target.value })}
        error={problems.lookupStrings}
      />
      {isLocked ? (
        <PlanNote what="Text lookup" includes={(other) => other.textLookup} />
      ) : (
        <fieldset className="flex gap-4 text-sm">
          <legend className="sr-only">When</legend>
          {(["appears", "disappears"] as const).map((when) => (
            <label key={when} className="flex items-center gap-1.5">
              <input
                type="radio"
                name="lookup"
                checked={fields.lookupWhen === when}
                onChange={() => put({ lookupWhen: when })}
                className="size-4 shrink-0 accent-accent-text"
              />
              when one {when}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}
