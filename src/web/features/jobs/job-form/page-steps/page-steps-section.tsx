import { isIdentity } from "#contract/identity.ts";
import type { GroupSettings } from "#contract/job.ts";
import type { PageStep } from "#contract/page-steps.ts";
import { openLiveView } from "#web/api/open-live-view.ts";
import { readRecording } from "#web/api/read-recording.ts";
import { countOf } from "#web/ui/count-of.ts";
import { PageStepList } from "#web/ui/page-steps/page-step-list.tsx";
import type { JobFields, Problems } from "../fields.ts";
import { TrySteps } from "./try-steps.tsx";

type PageStepsProps = {
  fields: JobFields;
  problems: Problems;
  put: (part: Partial<JobFields>) => void;
  jobId?: string | undefined;
  /** The group's steps, which apply if there are none here, and its identity. */
  inherited?: Pick<GroupSettings, "pageSteps" | "identity"> | null | undefined;
  /** A group has no page on which its steps could be tried. */
  isGroup?: boolean;
};

/** What is done on the page before the capture: a list of steps, their secrets, and a trial with pictures. */
export function PageStepsSection({
  fields,
  problems,
  put,
  jobId,
  inherited,
  isGroup = false,
}: PageStepsProps) {
  const { pageSteps: steps, stepSecrets: secrets, skipsGroupSteps } = fields;
  const groupSteps = steps.length === 0 ? (inherited?.pageSteps ?? []) : [];
  const identity = fields.identity || inherited?.identity;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <p className="text-sm text-muted">
        {groupSteps.length > 0 && !skipsGroupSteps
          ? `Without steps of its own, the job uses the group’s ${countOf(groupSteps.length, "step")}.`
          : "Click, type and wait on the page before each capture, for example to choose a shop. If a step fails, the check fails and nothing is compared."}
      </p>
      {(groupSteps.length > 0 || (skipsGroupSteps && steps.length === 0)) && (
        <label className="flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={skipsGroupSteps}
            onChange={(event) => put({ skipsGroupSteps: event.target.checked })}
            className="size-4 accent-accent-text"
          />
          No steps for this job, although its group has some
        </label>
      )}
      <PageStepList
        name={fields.name}
        steps={steps}
        secrets={secrets}
        readRecording={readRecording}
        problems={{ steps: problems.pageSteps, secrets: problems.stepSecrets }}
        onChange={({ steps: pageSteps = steps, secrets: stepSecrets = secrets }) =>
          put({ pageSteps, stepSecrets })
        }
        {...(!isGroup && {
          live: {
            title: "Record in a live view",
            description: "A browser of ours shows the page. Click and type in it as the steps should.",
            isReady: fields.url.trim() !== "",
            connect: (handlers) =>
              openLiveView(
                {
                  url: fields.url.trim(),
                  identityId: isIdentity(identity) ? identity : undefined,
                },
                handlers,
              ),
          },
        })}
      />
      {!isGroup && steps.length + groupSteps.length > 0 && !skipsGroupSteps && (
        <TrySteps fields={fields} jobId={jobId} />
      )}
    </div>
  );
}

/** The number of steps in a few words. */
export function pageStepsNote(
  { pageSteps }: Pick<JobFields, "pageSteps">,
  inherited?: PageStep[] | null,
): string {
  if (pageSteps.length > 0) return countOf(pageSteps.length, "step");
  return inherited && inherited.length > 0 ? `group default: ${countOf(inherited.length, "step")}` : "none";
}
