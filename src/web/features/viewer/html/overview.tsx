import { useMemo } from "react";
import { cx } from "#web/ui/cx.ts";
import type { Row } from "./rows.ts";

const slots = 200;

type Slot = "removed" | "added" | "changed" | undefined;

/** Where the changes are in the whole: a strip to look at and to click. The keys do the same. */
export function Overview({ rows, onGo }: { rows: readonly Row[]; onGo: (row: number) => void }) {
  const marks = useMemo(() => slotsOf(rows), [rows]);
  return (
    <div
      aria-hidden="true"
      className="relative w-2.5 shrink-0 cursor-pointer border-s border-line bg-surface"
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        onGo(Math.floor(((event.clientY - box.top) / box.height) * rows.length));
      }}
    >
      {marks.map(
        (mark, i) =>
          mark && (
            <span
              key={i}
              className={cx(
                "absolute inset-x-0.5 min-h-0.5",
                mark === "added" ? "bg-added" : mark === "removed" ? "bg-removed" : "bg-changed-mark",
              )}
              style={{ top: `${(i / slots) * 100}%`, height: `${100 / slots}%` }}
            />
          ),
      )}
    </div>
  );
}

function slotsOf(rows: readonly Row[]): Slot[] {
  const marks: Slot[] = Array.from({ length: slots });
  rows.forEach((row, i) => {
    if (row.hunk < 0) return;
    const at = Math.min(slots - 1, Math.floor((i / rows.length) * slots));
    const kind = row.kind === "added" || row.kind === "removed" ? row.kind : "changed";
    marks[at] = marks[at] === undefined || marks[at] === kind ? kind : "changed";
  });
  return marks;
}
