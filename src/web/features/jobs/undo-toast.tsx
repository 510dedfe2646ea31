import { useEffect, useRef } from "react";
import toast from "react-hot-toast";

type UndoProps = { message: string; graceMs: number; onUndo: () => void; onEnd: () => void };

/** Says what happened and offers the way back while there is one; answers the toast's id. */
export function undoToast(undo: UndoProps): string {
  return toast(() => <Undo {...undo} />, { duration: Number.POSITIVE_INFINITY });
}

/** Whoever points at it, or came to it by keys, has all the time they want. */
function Undo({ message, graceMs, onUndo, onEnd }: UndoProps) {
  const button = useRef<HTMLButtonElement>(null);
  const end = useRef(onEnd);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wait = () => clearTimeout(timer.current);
  const run = () => {
    wait();
    timer.current = setTimeout(() => end.current(), graceMs);
  };
  useEffect(() => {
    timer.current = setTimeout(() => end.current(), graceMs);
    // What had the focus is gone with what was deleted. Later than the closing dialog, which gives its own back.
    const focus = setTimeout(() => button.current?.focus());
    return () => {
      clearTimeout(timer.current);
      clearTimeout(focus);
    };
  }, [graceMs]);
  return (
    <span className="flex min-w-0 items-center gap-4" onMouseEnter={wait} onMouseLeave={run}>
      <span className="min-w-0 wrap-anywhere">{message}</span>
      <button
        ref={button}
        type="button"
        className="rounded-sm font-medium text-accent-text underline underline-offset-2"
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && wait()}
        onBlur={run}
        onClick={onUndo}
      >
        Undo
      </button>
    </span>
  );
}
