import { type ComponentProps, useEffect, useRef } from "react";
import { cx } from "#web/ui/cx.ts";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { useAddress } from "#web/ui/use-address.ts";
import { useMedia } from "#web/ui/use-media.ts";
import { JobDialogs } from "./dialogs/job-dialogs.tsx";
import { GroupPanel } from "./group-panel.tsx";
import { JobView } from "./job-view.tsx";
import { useGroup, useGroups, useJob } from "./queries.ts";
import { useDeletions } from "./use-deletions.ts";
import { useLiveJobs } from "./use-live-jobs.ts";

/** The screen that users live in: a group's jobs on the left, the chosen one beside them. */
export function Jobs({ showsDialogs }: { showsDialogs: boolean }) {
  const [search, change] = useAddress();
  // Whether list and job have room beside each other, as from the breakpoint lg on.
  const isBeside = useMedia("(width >= 1100px)");
  useLiveJobs();
  const deletions = useDeletions();
  const groups = useGroups();
  const shownGroups = groups.data?.filter(({ id }) => !deletions.hidden.has(id));
  const asked = search.get("job") ?? undefined;
  // In place of one that was just deleted the first is shown.
  const named = asked && deletions.hidden.has(asked) ? undefined : asked;
  const lone = useJob(search.has("group") ? undefined : named);
  const groupId = pickGroup(
    shownGroups?.map(({ id }) => id),
    search.get("group") ?? lone.data?.groupId,
    named !== undefined && lone.isLoading,
  );
  const group = useGroup(groupId);
  const jobs = group.data?.Job.filter(({ id }) => !deletions.hidden.has(id));
  const job = named ? jobs?.find(({ id }) => id === named) : jobs?.[0];
  // Where list and job take turns, none is open until one is named.
  const open = isBeside || named ? job : undefined;
  const showsJob = named !== undefined && !(group.error && !group.data);
  const { panel, jobArea } = useFocusAfter(search.get("dialog") === "new-group", showsJob);

  if (groups.error && !groups.data) {
    return (
      <Failed title="The jobs could not be loaded" action="Try again" onAction={() => void groups.refetch()}>
        {groups.error.message || "The server could not be reached."} Checks go on meanwhile.
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
            Groups keep jobs together: one for each client, programme or product, say.
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
              "flex min-h-0 flex-col overflow-clip rounded-card border border-line bg-surface max-lg:h-[calc(100dvh-32px)] max-sm:h-[calc(100dvh-84px)]",
              showsJob && "max-lg:hidden",
            )}
          >
            <GroupPanel
              groups={shownGroups}
              group={group.data}
              groupId={groupId}
              error={group.error}
              onRetry={() => void group.refetch()}
              selected={open?.id}
              isBeside={isBeside}
              hidden={deletions.hidden}
              onGroup={(id) => change({ group: id, job: null })}
              onSelect={(id) => change({ job: id, group: groupId })}
              onDialog={(dialog) => change({ dialog })}
              onDelete={deletions.start}
            />
          </section>
          <section
            ref={jobArea}
            aria-label="Job"
            className={cx("flex min-h-0 min-w-0 flex-col", !showsJob && "max-lg:hidden")}
          >
            {!jobs && !group.error && <JobSkeleton />}
            {open ? (
              <JobView
                key={open.id}
                job={open}
                onBack={() => change({ job: null, group: open.groupId })}
                onDelete={deletions.start}
              />
            ) : (
              jobs &&
              (named ? (
                <NoJob
                  title="This job is no longer here"
                  action="See the jobs"
                  onAction={() => change({ job: null })}
                >
                  It was deleted, or moved to another group.
                </NoJob>
              ) : (
                <NoJob
                  title="Nothing to watch yet"
                  action="New Job"
                  onAction={() => change({ dialog: "new-job" })}
                >
                  Give Watchglass a page and how often to look. The first check starts at once.
                </NoJob>
              ))
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

/** What had the focus is gone when the first group is made or a job takes the list's place: it goes to what came. */
function useFocusAfter(isAsking: boolean, showsJob: boolean) {
  const panel = useRef<HTMLElement>(null);
  const jobArea = useRef<HTMLElement>(null);
  const before = useRef({ isAsking, showsJob });
  useEffect(() => {
    const { isAsking: wasAsking, showsJob: showedJob } = before.current;
    before.current = { isAsking, showsJob };
    const isLost = document.activeElement === document.body;
    // Where the button that asked is still there, the dialog gives the focus back to it.
    if (wasAsking && !isAsking && isLost) panel.current?.querySelector("input")?.focus();
    const isHidden = panel.current?.offsetParent === null;
    if (!showedJob && showsJob && isHidden) jobArea.current?.querySelector("button")?.focus();
  }, [isAsking, showsJob]);
  return { panel, jobArea };
}

/** The wanted group if it exists, else the first; none while it is not known which is wanted. */
export function pickGroup(
  ids: string[] | undefined,
  wanted: string | undefined,
  isWaiting: boolean,
): string | undefined {
  if (!ids || isWaiting) return undefined;
  return ids.find((id) => id === wanted) ?? ids[0];
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
