import { memo, useState } from "react";
import { countOf } from "#web/ui/count-of.ts";
import { cx } from "#web/ui/cx.ts";
import { focusRow } from "./focus-row.ts";
import { occurrences, type Paint, paintLine, spellOut } from "./paint.ts";
import { wordMarks } from "./word-marks.ts";

const paints: Record<Paint, string> = {
  plain: "",
  tag: "text-accent-text",
  name: "text-moved",
  value: "text-info",
  comment: "text-muted italic",
  control: "mx-px rounded-sm bg-changed-bg px-0.5 text-changed ring-1 ring-changed-mark",
};

// Longer lines are cut until the user expands them: laying out half a megabyte in one line takes seconds.
const cutAt = 2000;
const mostShown = 100_000;
const afterSought = 200;

type CodeLineProps = {
  line: string;
  /** The other line of a pair, to mark the differences within this one. */
  other?: string;
  side: "old" | "new";
  wanted: string;
  /** Whether the view scrolls to this line: its first mark or hit must not be cut off. */
  isSought: boolean;
  onWhole: () => void;
};

/** One captured line, rendered as text only. */
export const CodeLine = memo(function CodeLine(props: CodeLineProps) {
  const { line, other, side, wanted, isSought, onWhole } = props;
  const [isWhole, setWhole] = useState(false);
  const marks =
    other === undefined ? [] : side === "old" ? wordMarks(line, other).old : wordMarks(other, line).new;
  const sought = isSought ? (wanted ? line.toLowerCase().indexOf(wanted.toLowerCase()) : marks[0]?.from) : 0;
  const cut = isWhole ? mostShown : Math.min(mostShown, Math.max(cutAt, (sought ?? 0) + afterSought));
  const shown = line.slice(0, cut);
  const shownMarks = marks
    .filter(({ from }) => from < cut)
    .map(({ from, to }) => ({ from, to: Math.min(to, cut) }));
  const runs = paintLine(shown, shownMarks, occurrences(shown, wanted));
  const mark = side === "old" ? "bg-removed-mark" : "bg-added-mark";
  return (
    <>
      {runs.map((run, i) =>
        run.paint === "plain" && !run.mark && !run.found ? (
          run.text
        ) : (
          <span
            // Runs have no id, so the index is the key.
            key={i}
            data-mark={run.mark || undefined}
            data-found={run.found || undefined}
            className={cx(
              run.found
                ? "bg-accent text-accent-ink"
                : run.mark && run.paint !== "control"
                  ? cx("rounded-[2px] text-ink", mark)
                  : paints[run.paint],
            )}
          >
            {run.paint === "control" ? spellOut(run.text) : run.text}
          </span>
        ),
      )}
      {shown.length < line.length && (
        <button
          type="button"
          disabled={isWhole}
          onClick={(event) => {
            focusRow(event.currentTarget);
            setWhole(true);
            onWhole();
          }}
          className="ms-2 rounded-sm bg-fill px-1.5 font-sans text-xs text-muted hover:text-ink"
        >
          {countOf(line.length - shown.length, "more character")}
        </button>
      )}
    </>
  );
});
