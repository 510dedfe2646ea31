import { cx } from "#web/ui/cx.ts";
import type { ConditionField } from "./condition-fields.ts";

type LimitDetailsProps = {
  condition: ConditionField;
  labelSuffix: string;
  /** Classes of the inputs. */
  look: string;
  onChange: (part: Partial<ConditionField>) => void;
};

/** The limit of a condition on an amount, and the text that is counted. */
export function LimitDetails({ condition, labelSuffix, look, onChange }: LimitDetailsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      {condition.sort.startsWith("matches") && (
        <input
          aria-label={`Text ${labelSuffix}`}
          placeholder="in stock, or /pattern/"
          value={condition.name}
          onChange={(event) => onChange({ name: event.target.value })}
          className={cx(look, "min-w-28 flex-1")}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <input
        aria-label={`Limit ${labelSuffix}`}
        inputMode="decimal"
        placeholder="10"
        value={condition.text}
        onChange={(event) => onChange({ text: event.target.value })}
        className={cx(look, "max-w-20 font-mono text-sm")}
        autoComplete="off"
      />
    </div>
  );
}
