import type { SectionProps } from "../sections/section-props.ts";
import { HistoryTrial } from "./history-trial.tsx";
import { SecondOpinionFields } from "./second-opinion-fields.tsx";

/** What a language model is used for, and a trial on the job's past alerts. */
export function SecondOpinionSection({ fields, problems, put, inherited, jobId }: SectionProps) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <SecondOpinionFields
        fields={fields}
        problems={problems}
        put={put}
        inherited={inherited?.secondOpinion}
      />
      {jobId && (
        <HistoryTrial
          jobId={jobId}
          matters={fields.opinionMatters.trim() || inherited?.secondOpinion?.matters || ""}
        />
      )}
    </div>
  );
}
