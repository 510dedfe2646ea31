import { useMutation, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { call } from "#web/api/call.ts";
import { usePlainHttp } from "#web/api/plain-http.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Icon } from "#web/ui/icon.tsx";
import { PlainHttpQuestion } from "#web/ui/plain-http-question.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { useUrlParams } from "#web/ui/urls/use-url-params.ts";
import { type Job, keys } from "./queries.ts";
import { RunProgress } from "./status-and-progress/run-progress.tsx";
import { StatusActions } from "./status-and-progress/status-actions.tsx";
import { StatusBadge } from "./status-and-progress/status-badge.tsx";
import { type Activity, useActivity } from "./status-and-progress/use-live-jobs.ts";
import { TickBand } from "./timeline/tick-band.tsx";
import { WaitingForIdentity } from "./waiting-for-identity.tsx";

const troubleNames = {
  down: "Check failed",
  gone: "The watched part is missing",
  wall: "The page isn’t shown",
  proxy: "Proxy down",
} satisfies Record<NonNullable<Job["trouble"]>["kind"], string>;

type JobHeadProps = { job: Job; onBack: () => void };

export function JobHead({ job, onBack }: JobHeadProps) {
  const [, change] = useUrlParams();
  const client = useQueryClient();
  const plainHttp = usePlainHttp(job);
  const liveState = useActivity(job.id);
  const activity = liveState === undefined ? (job.activity === "idle" ? null : job.activity) : liveState;
  const run = useMutation({
    mutationFn: () => call("POST /api/jobs/:jobId/run", { params: { jobId: job.id } }),
    onSuccess: () => client.setQueryData<Activity>(keys.activity(job.id), (known) => known ?? "queued"),
    onError: (error) => toast.error(error.message || "We couldn’t start the check."),
  });
  const clone = useMutation({
    mutationFn: () => call("POST /api/jobs/:jobId/clone", { params: { jobId: job.id } }),
    onSuccess: async ({ message, job: copy }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.groups }),
        client.invalidateQueries({ queryKey: keys.group(job.groupId) }),
      ]);
      toast.success(message);
      change({ job: copy.id, group: copy.groupId });
    },
    onError: (error) => toast.error(error.message || "We couldn’t clone the job."),
  });
  return (
    <header className="grid grid-cols-[minmax(0,1fr)] gap-3 border-b border-line p-4">
      <div className="flex flex-wrap items-start justify-end gap-x-3 gap-y-2">
        <div className="flex min-w-0 flex-[1_1_18rem] items-start gap-3">
          <IconButton
            icon="chevronLeft"
            label="Back to the jobs"
            onClick={onBack}
            className="-ms-2 lg:hidden"
          />
          <div className="min-w-0 flex-1">
            <div className="flex min-w-0 flex-wrap items-center gap-x-3">
              <h2 className="max-w-max flex-[1_1_8rem] truncate text-xl" title={job.name}>
                {job.name}
              </h2>
              <StatusBadge status={job.status} />
            </div>
            <Address url={job.url} />
          </div>
        </div>
        <div className="flex flex-wrap gap-3 max-sm:flex-1 max-sm:*:flex-1">
          <IconButton
            icon="copy"
            label="Clone this job"
            aria-busy={clone.isPending || undefined}
            onClick={() => {
              if (!clone.isPending) clone.mutate();
            }}
            className="max-sm:!flex-none"
          />
          <IconButton
            icon="pick"
            label="Pick on the page"
            disabled={!job.executions.some(({ hasImage }) => hasImage)}
            onClick={() => change({ dialog: "pick", back: "job" })}
            className="max-sm:!flex-none"
          />
          <Button icon="gear" onClick={() => change({ dialog: "settings" })}>
            Settings
          </Button>
          <Button
            look="primary"
            icon="play"
            busy={run.isPending || activity !== null}
            onClick={() => run.mutate()}
          >
            Run now
          </Button>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <StatusActions job={job} />
        {activity ? <RunProgress activity={activity} /> : <Facts job={job} />}
      </div>
      <WaitingForIdentity job={job} />
      {job.status === "INTERRUPTED" && (
        <p className="rounded-control bg-removed-bg px-3 py-2 text-sm text-removed">
          Checks stopped after {job.failures} failures in a row. ACTIVE starts them again.
        </p>
      )}
      {job.trouble && job.status !== "INTERRUPTED" && (
        <p className="rounded-control bg-removed-bg px-3 py-2 text-sm text-removed">
          <strong className="font-medium">{troubleNames[job.trouble.kind]}</strong>, since{" "}
          <Time at={job.trouble.since} />: {job.trouble.message} {job.trouble.advice}
        </p>
      )}
      {job.status === "INACTIVE" && (
        <p className="rounded-control bg-changed-bg px-3 py-2 text-sm text-changed">
          This job exceeds your plan’s limits. Its history is kept. You can set it ACTIVE again once it fits
          your plan.
        </p>
      )}
      {job.executions[0]?.truncated && (
        <p className="rounded-control bg-changed-bg px-3 py-2 text-sm text-changed">
          The page is too large to compare. Add a CSS selector in Settings to watch only the part that
          matters.
        </p>
      )}
      <PlainHttpQuestion {...plainHttp} />
      <TickBand job={job} />
    </header>
  );
}

function Address({ url }: { url: string }) {
  const isWeb = /^https?:\/\//i.test(url);
  const shape = "inline-flex max-w-full min-w-0 items-center gap-1.5 font-mono text-sm text-muted";
  if (!isWeb) return <span className={shape}>{url}</span>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={`${shape} rounded-sm hover:text-ink`}>
      <span className="truncate" title={url}>
        {url}
      </span>
      <Icon name="external" className="size-3" />
    </a>
  );
}

function Facts({ job }: { job: Job }) {
  return (
    <p className="figures flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      <span>{describeSchedule(job)}</span>
      {job.nextRunAt && (
        <span>
          Next check <Time at={job.nextRunAt} />
        </span>
      )}
      <span>{countOf(job.executionsTotal, "execution")}</span>
      <span>{countOf(job.changesTotal, "change")}</span>
    </p>
  );
}

/** Describes how often and in which hours checks run; a cron line determines both. */
function describeSchedule({ frequencyMinutes, schedule: ownSchedule, inherited }: Job): string {
  const schedule = ownSchedule ?? inherited?.schedule;
  if (schedule?.cron) return `By cron ${schedule.cron}, ${schedule.zone}`;
  const hours = schedule?.week?.flat().length;
  return hours === undefined
    ? frequency(frequencyMinutes)
    : `${frequency(frequencyMinutes)} in ${hours} hours a week`;
}

export function frequency(minutes: number): string {
  if (minutes % 1440 === 0) return minutes === 1440 ? "Every day" : `Every ${minutes / 1440} days`;
  if (minutes % 60 === 0) return minutes === 60 ? "Every hour" : `Every ${minutes / 60} hours`;
  return minutes === 1 ? "Every minute" : `Every ${minutes} minutes`;
}
