import { useId, useMemo, useRef, useState } from "react";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Select } from "#web/ui/select.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { BulkBar } from "../bulk-actions/bulk-bar.tsx";
import { PastActions } from "../bulk-actions/past-actions.tsx";
import type { Group, GroupWithJobs, Job } from "../queries.ts";
import { JobList, type JobListHandle } from "./job-list.tsx";
import { MatchesElsewhere } from "./matches-elsewhere.tsx";

type GroupPanelProps = {
  groups: Group[];
  group: GroupWithJobs | undefined;
  groupId: string;
  error: Error | null;
  onRetry: () => void;
  selected: string | undefined;
  isSideBySide: boolean;
  onGroup: (groupId: string) => void;
  onSelect: (jobId: string) => void;
  onDialog: (dialog: string) => void;
};

/** The left panel: the group selection, the group's actions and its jobs. */
// Long because it lays out one panel from top to bottom; its parts are components of their own.
export function GroupPanel(props: GroupPanelProps) {
  const { groups, group, groupId, error, onRetry, selected, isSideBySide, onGroup, onSelect, onDialog } =
    props;
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const list = useRef<JobListHandle>(null);
  const [query, setQuery] = useState("");
  const searchId = useId();
  const all = group?.Job;
  const jobs = useMemo(() => all && searchJobs(all, query), [all, query]);
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 border-b border-line p-3">
        <div className="flex items-center gap-1">
          <Select
            label="Group"
            hideLabel
            value={groupId}
            onChange={onGroup}
            options={groups.map(({ id, name, jobs }) => ({ value: id, label: `${name} (${jobs})` }))}
            className="min-w-0 flex-1"
          />
          <IconButton icon="gear" label="Group defaults" onClick={() => onDialog("group-settings")} />
          <IconButton icon="folder" label="New Group" onClick={() => onDialog("new-group")} />
        </div>
        <div className="flex gap-2">
          <Button size="sm" className="min-w-0 flex-1 !px-1" onClick={() => onDialog("edit-group")}>
            Edit This group
          </Button>
          <Button size="sm" className="min-w-0 flex-1 !px-1" onClick={() => onDialog("delete-group")}>
            Delete This group
          </Button>
        </div>
        <div className="relative">
          <label htmlFor={searchId} className="sr-only">
            Search jobs
          </label>
          <Icon
            name="search"
            className="pointer-events-none absolute inset-y-0 start-2.5 my-auto text-quiet"
          />
          <input
            id={searchId}
            type="search"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== "ArrowDown") return;
              event.preventDefault();
              list.current?.enter();
            }}
            placeholder="Search jobs"
            className="h-8 w-full rounded-control border border-edge bg-surface ps-8 pe-2 text-base placeholder:text-quiet"
          />
        </div>
        {jobs && chosen && (
          <BulkBar
            key={groupId}
            jobs={jobs}
            chosen={jobs.filter(({ id }) => chosen.has(id))}
            groups={groups}
            groupId={groupId}
            onChoose={(ids) => setChosen(new Set(ids))}
            onDone={() => setChosen(undefined)}
          />
        )}
        {!chosen && all && all.length > 1 && (
          <Button
            look="ghost"
            size="sm"
            icon="check"
            className="-my-1 justify-self-start"
            onClick={() => setChosen(new Set())}
          >
            Select several
          </Button>
        )}
      </div>
      {error && !group && (
        <Failed title="We couldn’t load the jobs" action="Try again" onAction={onRetry}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {!group && !error && <ListSkeleton />}
      {all?.length === 0 && (
        <Empty
          icon="jobs"
          title="No jobs in this group yet"
          action="New Job"
          onAction={() => onDialog("new-job")}
        >
          A job watches one page. Its checks and changes appear here.
        </Empty>
      )}
      {all && all.length > 0 && jobs?.length === 0 && (
        <p className="px-4 py-6 text-center text-sm text-muted">
          No job in this group has “{query}” in its name or URL.
        </p>
      )}
      {jobs && jobs.length > 0 && (
        <JobList
          ref={list}
          jobs={jobs}
          selected={selected}
          isSideBySide={isSideBySide}
          onSelect={onSelect}
          chosen={chosen}
          onChoose={(id) => setChosen((current) => new Set(current).symmetricDifference(new Set([id])))}
        />
      )}
      {query.trim().length > 1 && groups.length > 1 && <MatchesElsewhere query={query} groupId={groupId} />}
      <PastActions />
    </>
  );
}

/** Returns the jobs whose name or URL contains every word. */
export function searchJobs(jobs: Job[], query: string): Job[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return jobs;
  return jobs.filter(({ name, url }) => {
    const text = `${name} ${url}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function ListSkeleton() {
  return (
    <div className="grid gap-2 p-3">
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} className="h-11" />
      ))}
    </div>
  );
}
