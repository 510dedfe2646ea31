import { memo, useState } from "react";
import { cx } from "#web/ui/cx.ts";
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

// Longer lines are cut until asked for: laying out half a megabyte in one line takes seconds.
const cutAt = 2000;
const mostShown = 100_000;

type CodeLineProps = {
  line: string;
  /** The other line of a pair, for marks inside this one. */
  other?: string;
  side: "old" | "new";
  wanted: string;
};

/** One captured line, as text and nothing else. */
export const CodeLine = memo(function CodeLine({ line, other, side, wanted }: CodeLineProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = line.length > cutAt ? line.slice(0, isWhole ? mostShown : cutAt) : line;
  const marks =
    other === undefined ? [] : side === "old" ? wordMarks(line, other).old : wordMarks(other, line).new;
  const runs = paintLine(shown, marks, occurrences(shown, wanted));
  const mark = side === "old" ? "bg-removed-mark" : "bg-added-mark";
  return (
    <>
      {runs.map((run, i) =>
        run.paint === "plain" && !run.mark && !run.found ? (
          run.text
        ) : (
          <span
            // Runs have no identity but their place.
            key={i}
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
          onClick={() => setWhole(true)}
          className="ms-2 rounded-sm bg-fill px-1.5 font-sans text-xs text-muted hover:text-ink"
        >
          {(line.length - shown.length).toLocaleString()} more characters
        </button>
      )}
    </>
  );
});
