import type { ReactNode } from "react";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { CapturePane } from "./capture-pane.tsx";
import type { Marks } from "./image/regions.ts";
import { type Comparison, captureOf, type Detail } from "./queries.ts";
import type { useViewState } from "./url-state/use-view-state.ts";

/** A notice about what is shown below it. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="border-b border-line bg-changed-bg px-4 py-1.5 text-sm text-changed">
      {children}
    </p>
  );
}

/** The page as it was when a step before the capture failed. */
function FailedStep({ detail: { id, jobId, steps } }: { detail: Detail }) {
  const last = steps.at(-1);
  if (!last?.error || !last.hasPicture) return null;
  return (
    <img
      src={`/api/jobs/${jobId}/executions/${id}/steps/${steps.length}/image`}
      alt={`The page when step ${steps.length} failed`}
      className="max-h-[60vh] max-w-full rounded-control border border-line bg-white"
    />
  );
}

type StageProps = {
  detail: Detail;
  other: Detail | undefined;
  first: Detail;
  second: Detail;
  isCompared: boolean;
  isWaiting: boolean;
  marks: Marks | undefined;
  sights: Comparison["sights"];
  look: ReturnType<typeof useViewState>;
};

/** The screenshots or the HTML, or the reason why there are none. */
export function Stage({ detail, other, first, second, isCompared, isWaiting, look, ...shown }: StageProps) {
  const failed = detail.error ? detail : other?.error ? other : undefined;
  if (detail.error) {
    return (
      <div className="grid flex-1 content-center justify-items-center gap-4 overflow-auto p-4">
        <Failed title={`#${detail.index} has no capture`}>
          {failed?.error} Step to another execution with the arrow keys.
        </Failed>
        <FailedStep detail={detail} />
      </div>
    );
  }
  if (isWaiting) return <Skeleton className="m-4 flex-1" />;
  return (
    <>
      {failed && <Note>#{failed.index} failed and has no capture, so this one is shown alone.</Note>}
      <CapturePane
        look={look.look}
        before={isCompared ? captureOf(first) : null}
        after={captureOf(isCompared ? second : detail)}
        {...shown}
        steps={look.steps}
        onPick={look.showRegion}
        onLocated={look.onLocated}
        onCounted={look.onCounted}
        onFit={look.onFit}
      />
    </>
  );
}
