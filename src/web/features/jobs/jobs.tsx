import { type ComponentProps, useEffect, useRef } from "react";
import { cx } from "#web/ui/cx.ts";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { useUrlParams } from "#web/ui/urls/use-url-params.ts";
import { useMedia } from "#web/ui/use-media.ts";
import { useDeletions } from "./delete-and-undo/use-deletions.ts";
import { JobDialogs } from "./job-dialogs.tsx";
import { GroupPanel } from "./job-list/group-panel.tsx";
import { JobView } from "./job-view.tsx";
import { useGroup, useGroups, useJob } from "./queries.ts";
import { useLiveJobs } from "./status-and-progress/use-live-jobs.ts";

/** The main screen: a group's jobs on the left, the selected job next to them. */
export function Jobs({ showsDialogs }: { showsDialogs: boolean }) {
  const [search, change] = useUrlParams();
  // Whether list and job fit next to each other; the same width as the breakpoint lg.
  const isSideBySide = useMedia("(width >= 1100px)");
  useLiveJobs();
  const deletions = useDeletions();
  const groups = useGroups();
  const shownGroups = groups.data?.filter(({ id }) => !deletions.hidden.has(id));
  const requestedId = search.get("job") ?? undefined;
  const loneJob = useJob(search.has("group") ? undefined : requestedId);
  const groupId = pickGroup(
    shownGroups?.map(({ id }) => id),
    search.get("group") ?? loneJob.data?.groupId,
    requestedId !== undefined && loneJob.isLoading,
  );
  const group = useGroup(groupId);
  const jobs = group.data?.Job;
  // If the requested job was just deleted, the first job is shown instead.
  const isDeleted = requestedId !== undefined && group.data?.deletedIds.includes(requestedId);
  const jobId = isDeleted ? undefined : requestedId;
  const job = jobId ? jobs?.find(({ id }) => id === jobId) : jobs?.[0];
  // Where only the list or a job fits, no job is open until the URL names one.
  const openJob = isSideBySide || jobId ? job : undefined;
  const showsJob = jobId !== undefined && !(group.error && !group.data);
  const { panel, jobArea } = useFocusRecovery(search.get("dialog") === "new-group", showsJob);

  if (groups.error && !groups.data) {
    return (
      <Failed title="We couldn’t load the jobs" action="Try again" onAction={() => void groups.refetch()}>
        {groups.error.message || "We couldn’t reach the server."} Checks continue meanwhile.
      </Failed>
    );
  }
  return (
    <>
      <h1 className="sr-only">Jobs</h1>
      {shownGroups?.length === 0 ? (
        <section className="rounded-card border border-line bg-surface">
          <Empty
            icon="folder"
            title="Start with a group"
            action="New Group"
            onAction={() => change({ dialog: "new-group" })}
          >
            Groups keep related jobs together, for example one per client, program or product.
          </Empty>
        </section>
      ) : !shownGroups || !groupId ? (
        <ViewSkeleton />
      ) : (
        <div className="grid gap-4 lg:h-[calc(100dvh-48px)] lg:grid-cols-[288px_minmax(0,1fr)]">
          <section
            ref={panel}
            aria-label="Group"
            className={cx(
              "flex min-h-0 flex-col overflow-clip rounded-card border border-line bg-surface max-lg:h-[calc(100dvh-32px)] max-menu:h-[calc(100dvh-100px)] max-sm:h-[calc(100dvh-84px)]",
              showsJob && "max-lg:hidden",
            )}
          >
            <GroupPanel
              groups={shownGroups}
              group={group.data}
              groupId={groupId}
              error={group.error}
              onRetry={() => void group.refetch()}
              selected={openJob?.id}
              isSideBySide={isSideBySide}
              onGroup={(id) => change({ group: id, job: null })}
              onSelect={(id) => change({ job: id, group: groupId })}
              onDialog={(dialog) => change({ dialog })}
            />
          </section>
          <section
            ref={jobArea}
            aria-label="Job"
            className={cx("flex min-h-0 min-w-0 flex-col", !showsJob && "max-lg:hidden")}
          >
            {!jobs && !group.error && <JobSkeleton />}
            {openJob ? (
              <JobView
                key={openJob.id}
                job={openJob}
                onBack={() => change({ job: null, group: openJob.groupId })}
              />
            ) : (
              jobs && <NoOpenJob isGone={Boolean(jobId)} change={change} />
            )}
          </section>
        </div>
      )}
      {showsDialogs && (
        <JobDialogs
          groups={shownGroups}
          groupId={groupId}
          group={group.data}
          job={job}
          onDelete={deletions.start}
        />
      )}
    </>
  );
}

/** Moves the focus to new content when the focused element disappears: a first group was created, or a job opened. */
function useFocusRecovery(isDialogOpen: boolean, showsJob: boolean) {
  const panel = useRef<HTMLElement>(null);
  const jobArea = useRef<HTMLElement>(null);
  const previous = useRef({ isDialogOpen, showsJob });
  useEffect(() => {
    const { isDialogOpen: wasDialogOpen, showsJob: showedJob } = previous.current;
    previous.current = { isDialogOpen, showsJob };
    const isLost = document.activeElement === document.body;
    // If the button that opened the dialog still exists, the dialog returns the focus to it.
    if (wasDialogOpen && !isDialogOpen && isLost) panel.current?.querySelector("input")?.focus();
    const isHidden = panel.current?.offsetParent === null;
    if (!showedJob && showsJob && isHidden) jobArea.current?.querySelector("button")?.focus();
  }, [isDialogOpen, showsJob]);
  return { panel, jobArea };
}

/** Returns the requested group if it exists, else the first; undefined until the request is known. */
export function pickGroup(
  ids: string[] | undefined,
  requested: string | undefined,
  isWaiting: boolean,
): string | undefined {
  if (!ids || isWaiting) return undefined;
  return ids.find((id) => id === requested) ?? ids[0];
}

type NoOpenJobProps = { isGone: boolean; change: ReturnType<typeof useUrlParams>[1] };

function NoOpenJob({ isGone, change }: NoOpenJobProps) {
  return isGone ? (
    <NoJob title="This job no longer exists" action="See the jobs" onAction={() => change({ job: null })}>
      It was deleted, or moved to another group.
    </NoJob>
  ) : (
    <NoJob title="No jobs yet" action="New Job" onAction={() => change({ dialog: "new-job" })}>
      Choose a page and how often to check it. The first check starts right away.
    </NoJob>
  );
}

function NoJob(props: Omit<ComponentProps<typeof Empty>, "icon">) {
  return (
    <div className="grid flex-1 place-items-center rounded-card border border-dashed border-line-strong">
      <Empty icon="eye" {...props} />
    </div>
  );
}

function ViewSkeleton() {
  return (
    <div className="grid gap-4 lg:grid-cols-[288px_minmax(0,1fr)]">
      <Skeleton className="h-96" />
      <Skeleton className="h-96 max-lg:hidden" />
    </div>
  );
}

function JobSkeleton() {
  return (
    <div className="grid flex-1 content-start gap-3 rounded-card border border-line bg-surface p-4">
      <Skeleton className="h-36" />
      {[1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} className="h-12" />
      ))}
    </div>
  );
}
