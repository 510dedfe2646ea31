/** A progress bar with a description in words. */
export function ProgressBar({
  label,
  done,
  total,
  children,
}: {
  label: string;
  done: number;
  total: number;
  children: string;
}) {
  return (
    <div className="grid gap-1.5">
      <progress
        value={done}
        max={total || 1}
        aria-label={label}
        className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent-text [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent-text"
      />
      <p className="figures text-sm text-muted">{children}</p>
    </div>
  );
}
