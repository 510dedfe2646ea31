import { useId } from "react";
import { cx } from "./cx.ts";
import { Icon } from "./icon.tsx";

type SelectProps = {
  label: string;
  hideLabel?: boolean;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
  /** Shown until a value is chosen; it cannot be chosen itself. */
  placeholder?: string;
  error?: string;
  className?: string;
};

/** The native select element in our style. */
export function Select({
  label,
  hideLabel,
  value,
  onChange,
  options,
  placeholder,
  error,
  className,
}: SelectProps) {
  const id = useId();
  return (
    <div className={cx("grid content-start gap-1.5", className)}>
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-sm font-medium"}>
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className={cx(
            "h-8 w-full min-w-0 cursor-pointer appearance-none truncate rounded-control border bg-surface ps-3 pe-8 text-base",
            error ? "border-danger" : "border-edge",
          )}
        >
          {placeholder !== undefined && (
            <option value="" disabled>
              {placeholder}
            </option>
          )}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon
          name="chevronDown"
          className="pointer-events-none absolute inset-y-0 end-2.5 my-auto text-muted"
        />
      </div>
      {error && (
        <p id={`${id}-error`} className="text-sm text-removed">
          {error}
        </p>
      )}
    </div>
  );
}
