/** How far something is, with what that means in words. */
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
        className="h-1.5 w-full accent-accent-text"
      />
      <p className="figures text-sm text-muted">{children}</p>
    </div>
  );
}
