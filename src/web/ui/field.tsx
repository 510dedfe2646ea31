import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./cx.ts";

type FieldProps = Omit<ComponentProps<"input">, "id"> & {
  label: string;
  hint?: ReactNode;
  error?: string;
  /** Shown next to the input, such as a copy button. */
  after?: ReactNode;
  /** Public forms are taller than the app's. */
  roomy?: boolean;
  /** For ids, tokens and codes. */
  mono?: boolean;
};

/** A labeled input with its hint or error tied to it. */
export function Field({
  label,
  hint,
  error,
  after,
  roomy = false,
  mono = false,
  className,
  ...input
}: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={cx("grid grid-cols-1 gap-1.5", className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex items-center gap-1">
        <input
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          className={cx(
            "w-full min-w-0 rounded-control border bg-surface px-3 text-ink transition-colors placeholder:text-quiet",
            "read-only:bg-sunken read-only:text-muted disabled:opacity-55",
            "focus-visible:border-accent-text focus-visible:outline-1 focus-visible:outline-offset-0",
            roomy ? "h-11 text-lg" : mono ? "h-8 font-mono text-sm" : "h-8 text-base",
            error ? "border-danger" : "border-edge read-only:border-line",
          )}
        />
        {after}
      </div>
      {note && (
        <p id={`${id}-note`} className={cx("text-sm", error ? "text-removed" : "text-muted")}>
          {note}
        </p>
      )}
    </div>
  );
}
