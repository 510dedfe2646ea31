import type { FoundLine } from "#contract/page-block.ts";
import { countOf } from "#web/ui/count-of.ts";
import { Time } from "#web/ui/time/time.tsx";

type Period = Pick<FoundLine, "firstAt" | "pages" | "pagesNow" | "goneAt">;

/** "First seen 3 d ago on 3 pages, still on 2", or "… gone since yesterday". */
export function PeriodText({ period, isAtLeast = false }: { period: Period; isAtLeast?: boolean }) {
  const { firstAt, pages, pagesNow, goneAt } = period;
  return (
    <>
      First seen <Time at={firstAt} /> on {isAtLeast && "at least "}
      {countOf(pages, "page")},{" "}
      {goneAt ? (
        <>
          gone since <Time at={goneAt} />
        </>
      ) : pages === pagesNow ? (
        "still there"
      ) : (
        `still on ${pagesNow.toLocaleString()}`
      )}
    </>
  );
}
