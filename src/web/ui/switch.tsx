import * as Radix from "radix-ui/switch";
import { type ReactNode, useId } from "react";

type SwitchProps = {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
};

/** A setting that is on or off; the state is also shown as a word. */
export function Switch({ label, hint, checked, disabled, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="grid min-w-0 grid-cols-1 gap-0.5">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
      <div className="flex shrink-0 items-center gap-2">
        <span aria-hidden="true" className="w-6 text-end text-sm text-muted">
          {checked ? "On" : "Off"}
        </span>
        <Radix.Root
          id={id}
          checked={checked}
          disabled={disabled}
          onCheckedChange={onChange}
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="relative h-6 w-10 shrink-0 rounded-full bg-edge transition-colors data-disabled:opacity-55 data-[state=checked]:bg-accent"
        >
          <Radix.Thumb className="block size-4.5 translate-x-0.75 rounded-full bg-white transition-transform data-[state=checked]:translate-x-4.75" />
        </Radix.Root>
      </div>
    </div>
  );
}
