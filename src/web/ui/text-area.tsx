import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./cx.ts";

type TextAreaProps = Omit<ComponentProps<"textarea">, "id"> & {
  label: string;
  hint?: ReactNode;
  error?: string;
  mono?: boolean;
};

/** A labeled multi-line input with its hint or error tied to it. */
export function TextArea({ label, hint, error, mono = false, className, ...rest }: TextAreaProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={cx("grid gap-1.5", className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <textarea
        {...rest}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        className={cx(
          "field-sizing-content max-h-60 min-h-16 w-full min-w-0 rounded-control border bg-surface px-3 py-1.5 placeholder:text-quiet disabled:opacity-55",
          "focus-visible:border-accent-text focus-visible:outline-1 focus-visible:outline-offset-0",
          mono ? "font-mono text-sm" : "text-base",
          error ? "border-danger" : "border-edge",
        )}
      />
      {note && (
        <p id={`${id}-note`} className={cx("text-sm", error ? "text-removed" : "text-muted")}>
          {note}
        </p>
      )}
    </div>
  );
}
