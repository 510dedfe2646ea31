import { cx } from "#web/ui/cx.ts";
import type { Job } from "../queries.ts";

type BadgeStyle = { tone: string; shape: string; word: string };

// Each status has its own shape, so that color is never the only sign.
const badgeStyles: Record<Job["status"], BadgeStyle> = {
  ACTIVE: { tone: "text-added", shape: "M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3Z", word: "ACTIVE" },
  PAUSED: { tone: "text-changed", shape: "M4 3h3v10H4ZM9 3h3v10H9Z", word: "PAUSED" },
  DISABLED: {
    tone: "text-quiet",
    shape: "M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3Zm0 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z",
    word: "DISABLED",
  },
  INTERRUPTED: { tone: "text-removed", shape: "M8 2 15 14H1Z", word: "INTERRUPTED" },
  INACTIVE: { tone: "text-quiet", shape: "M3 7h10v2H3Z", word: "INACTIVE" },
};

/** A job's status as a shape and a word. */
export function StatusBadge({ status }: { status: Job["status"] }) {
  const { tone, shape, word } = badgeStyles[status] ?? { ...badgeStyles.INTERRUPTED, word: status };
  return (
    <span
      title={word}
      className={cx("inline-flex shrink-0 items-center gap-1.5 text-xs font-medium tracking-wide", tone)}
    >
      <svg viewBox="0 0 16 16" fill="currentColor" fillRule="evenodd" aria-hidden="true" className="size-3">
        <path d={shape} />
      </svg>
      {word}
    </span>
  );
}
