import { Button } from "#web/ui/button.tsx";
import { StepRuns } from "#web/ui/page-steps/step-runs.tsx";
import { usePreview } from "../../preview/use-preview.ts";
import type { JobFields } from "../fields.ts";

type TryStepsProps = { fields: JobFields; jobId: string | undefined };

/** 'Try now': does the steps once and shows the page after each. */
export function TrySteps({ fields, jobId }: TryStepsProps) {
  const { ask, isBusy, problem, taken } = usePreview(fields, jobId);
  const steps = isBusy ? [] : (taken?.steps ?? []);
  return (
    <div className="grid min-w-0 gap-3" aria-live="polite">
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" icon="play" busy={isBusy} disabled={fields.url.trim() === ""} onClick={ask}>
          Try now
        </Button>
        <span className="min-w-0 flex-1 text-sm text-muted">
          {isBusy ? "Running the steps on the page" : "Runs the steps once, without saving anything."}
        </span>
      </div>
      {problem && !isBusy && (
        <p role="alert" className="text-sm text-removed">
          {problem.message || "We couldn’t reach the server."}
        </p>
      )}
      {steps.length > 0 && taken && (
        <StepRuns runs={steps} imageOf={(step) => `/api/previews/${taken.id}/steps/${step}/image`} />
      )}
    </div>
  );
}
