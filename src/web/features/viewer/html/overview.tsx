import { useMemo } from "react";
import { cx } from "#web/ui/cx.ts";
import type { Row } from "./rows.ts";

const slots = 200;

type Kind = "removed" | "added" | "changed";
type Line = { index: number; start: number; size: number };

type OverviewProps = {
  rows: readonly Row[];
  /** The positions of all lines, if all are visible: marks are then level with their lines. */
  lines: readonly Line[] | undefined;
  onGo: (row: number) => void;
};

/** A clickable strip that shows where the changes are. Keyboard users step through the changes instead. */
export function Overview({ rows, lines, onGo }: OverviewProps) {
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
      {lines
        ? lines.map(({ index, start, size }) => (
            <Mark key={index} kind={kindOf(rows[index])} top={`${start}px`} height={`${size}px`} />
          ))
        : marks.map((kind, i) => (
            <Mark key={i} kind={kind} top={`${(i / slots) * 100}%`} height={`${100 / slots}%`} />
          ))}
    </div>
  );
}

function Mark({ kind, top, height }: { kind: Kind | undefined; top: string; height: string }) {
  if (!kind) return null;
  const look = kind === "added" ? "bg-added" : kind === "removed" ? "bg-removed" : "bg-changed-mark";
  return <span className={cx("absolute inset-x-0.5 min-h-0.5", look)} style={{ top, height }} />;
}

function kindOf(row: Row | undefined): Kind | undefined {
  if (!row || row.hunk < 0) return undefined;
  return row.kind === "added" || row.kind === "removed" ? row.kind : "changed";
}

function slotsOf(rows: readonly Row[]): (Kind | undefined)[] {
  const marks: (Kind | undefined)[] = Array.from({ length: slots });
  rows.forEach((row, i) => {
    const kind = kindOf(row);
    if (!kind) return;
    const at = Math.min(slots - 1, Math.floor((i / rows.length) * slots));
    marks[at] = marks[at] === undefined || marks[at] === kind ? kind : "changed";
  });
  return marks;
}
