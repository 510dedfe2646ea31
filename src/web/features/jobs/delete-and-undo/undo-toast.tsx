import { useEffect, useRef } from "react";
import toast from "react-hot-toast";

type UndoProps = { message: string; graceMs: number; onUndo: () => void; onEnd: () => void };

/** Shows what happened with an Undo button for `graceMs`; returns the toast's id. */
export function showUndoToast(undo: UndoProps): string {
  return toast(() => <Undo {...undo} />, { duration: Number.POSITIVE_INFINITY });
}

/** The countdown pauses while the toast is hovered or has the keyboard focus. */
function Undo({ message, graceMs, onUndo, onEnd }: UndoProps) {
  const button = useRef<HTMLButtonElement>(null);
  const end = useRef(onEnd);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pause = () => clearTimeout(timer.current);
  const resume = () => {
    pause();
    timer.current = setTimeout(() => end.current(), graceMs);
  };
  useEffect(() => {
    timer.current = setTimeout(() => end.current(), graceMs);
    // The focused element was deleted. The timeout lets the closing dialog restore its own focus first.
    const focus = setTimeout(() => button.current?.focus());
    return () => {
      clearTimeout(timer.current);
      clearTimeout(focus);
    };
  }, [graceMs]);
  return (
    <span className="flex min-w-0 items-center gap-4" onMouseEnter={pause} onMouseLeave={resume}>
      <span className="min-w-0 wrap-anywhere">{message}</span>
      <button
        ref={button}
        type="button"
        className="rounded-sm font-medium text-accent-text underline underline-offset-2"
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && pause()}
        onBlur={resume}
        onClick={onUndo}
      >
        Undo
      </button>
    </span>
  );
}
