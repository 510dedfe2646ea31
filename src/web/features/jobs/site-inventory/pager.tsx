import { Button } from "#web/ui/button.tsx";
import { pageSize } from "./use-site.ts";

type PagerProps = { offset: number; shown: number; total: number; onOffset: (offset: number) => void };

/** Which part of a long list is shown, and the way to the parts before and after it. */
export function Pager({ offset, shown, total, onOffset }: PagerProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-2 text-sm">
      <span className="figures me-auto text-muted">
        {(offset + 1).toLocaleString("en")}–{(offset + shown).toLocaleString("en")} of{" "}
        {total.toLocaleString("en")}
      </span>
      <Button
        size="sm"
        icon="chevronLeft"
        disabled={offset === 0}
        onClick={() => onOffset(Math.max(0, offset - pageSize))}
      >
        Previous
      </Button>
      <Button size="sm" disabled={offset + pageSize >= total} onClick={() => onOffset(offset + pageSize)}>
        Next
      </Button>
    </div>
  );
}
