import { type KeyboardEvent, type RefObject, useDeferredValue, useEffect, useRef, useState } from "react";
import type { JobLine } from "#contract/change.ts";
import { Button } from "#web/ui/button.tsx";
import { countOf } from "#web/ui/count-of.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Select } from "#web/ui/select.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { useUrlParams } from "#web/ui/urls/use-url-params.ts";
import { AllJobsList, type AllJobsListHandle } from "./all-jobs-list.tsx";
import { filterJobs, type JobsFilter, readFilter, tagsIn, toSearchable, writeFilter } from "./filter-jobs.ts";
import { SavedViews } from "./saved-views.tsx";
import { useAllJobs } from "./use-all-jobs.ts";

/** The list of all jobs over all groups, with search, filters, sorting and saved views. */
export function AllJobs() {
  const [search, change] = useUrlParams();
  const { data: jobs, error, refetch } = useAllJobs();
  const filter = readFilter(search);
  // The field follows each key press at once; the list follows as soon as there is time.
  const [query, setQuery] = useState(filter.q);
  const shownQuery = useDeferredValue(query);
  const put = (part: Partial<JobsFilter>) => change(writeFilter({ ...filter, q: query, ...part }), true);
  const [openedAt] = useState(() => Date.now());
  const searchable = jobs && toSearchable(jobs);
  const shown = searchable && filterJobs(searchable, { ...filter, q: shownQuery }, openedAt);
  const list = useRef<AllJobsListHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  useSearchKey(field);
  const isFiltered = Object.values(writeFilter({ ...filter, q: query, sort: "changed" })).some(Boolean);
  const reset = () => {
    setQuery("");
    change(writeFilter(readFilter(new URLSearchParams())), true);
  };
  return (
    <div className="grid grid-cols-1 gap-4 lg:h-[calc(100dvh-48px)] lg:grid-rows-[auto_minmax(0,1fr)]">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="text-xl">All jobs</h1>
        <Button
          look="primary"
          icon="plus"
          onClick={() =>
            change({ ...writeFilter(readFilter(new URLSearchParams())), view: "jobs", dialog: "new-job" })
          }
        >
          New Job
        </Button>
      </div>
      <section
        aria-label="All jobs"
        className="flex min-h-0 flex-col overflow-clip rounded-card border border-line bg-surface max-lg:h-[calc(100dvh-140px)]"
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2 border-b border-line p-3">
          <div className="relative">
            <Icon
              name="search"
              className="pointer-events-none absolute inset-y-0 start-2.5 my-auto text-quiet"
            />
            <input
              ref={field}
              type="search"
              aria-label="Search all jobs"
              aria-keyshortcuts="/"
              placeholder="Name, URL, tag, group or changed text"
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              onBlur={() => put({})}
              onKeyDown={(event) => enterList(event, () => list.current?.enter())}
              className="h-8 w-full rounded-control border border-edge bg-surface ps-8 pe-2 text-base placeholder:text-quiet"
            />
          </div>
          <Filters filter={filter} jobs={jobs ?? []} put={put} />
          <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <span role="status">{jobs && shown && describeCount(shown.length, jobs.length)}</span>
            {isFiltered && (
              <Button look="ghost" size="sm" onClick={reset}>
                Clear filters
              </Button>
            )}
            <SavedViews
              className="ms-auto"
              current={new URLSearchParams(
                Object.entries(writeFilter({ ...filter, q: query })).filter(
                  (entry): entry is [string, string] => entry[1] !== null,
                ),
              ).toString()}
              onOpen={(view) => {
                const opened = readFilter(new URLSearchParams(view));
                setQuery(opened.q);
                change(writeFilter(opened), true);
              }}
            />
          </div>
        </div>
        {error && !jobs && (
          <Failed title="We couldn’t load your jobs" action="Try again" onAction={() => void refetch()}>
            {error.message || "We couldn’t reach the server."} Checks continue meanwhile.
          </Failed>
        )}
        {!jobs && !error && <ListSkeleton />}
        {jobs?.length === 0 && (
          <Empty
            icon="jobs"
            title="No jobs yet"
            action="New Job"
            onAction={() => change({ view: "jobs", dialog: "new-job" })}
          >
            A job watches one page. Jobs of all your groups appear here.
          </Empty>
        )}
        {jobs && jobs.length > 0 && shown?.length === 0 && (
          <Empty icon="search" title="No jobs match" action="Clear filters" onAction={reset}>
            Try fewer words, or remove a filter.
          </Empty>
        )}
        {shown && shown.length > 0 && <AllJobsList ref={list} jobs={shown} />}
      </section>
    </div>
  );
}

/** The key / moves the focus to the search, unless the user is typing. */
function useSearchKey(field: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const { target } = event;
      const isTyping = target instanceof HTMLElement && target.matches("input, textarea, select");
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [field]);
}

function enterList(event: KeyboardEvent, enter: () => void) {
  if (event.key !== "ArrowDown") return;
  event.preventDefault();
  enter();
}

const describeCount = (shown: number, all: number) =>
  shown === all ? countOf(all, "job") : `${shown.toLocaleString()} of ${countOf(all, "job")}`;

type FiltersProps = { filter: JobsFilter; jobs: JobLine[]; put: (part: Partial<JobsFilter>) => void };

function Filters({ filter, jobs, put }: FiltersProps) {
  const tags = tagsIn(jobs);
  // A tag that is filtered by stays selectable, even if no job has it anymore.
  const offered = filter.tag && !tags.includes(filter.tag) ? [...tags, filter.tag] : tags;
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(9rem,calc(50%-0.25rem)),1fr))] gap-2">
      <Select
        label="Status"
        hideLabel
        value={filter.status}
        onChange={(status) => put({ status })}
        options={[
          { value: "", label: "Any status" },
          ...["ACTIVE", "PAUSED", "DISABLED", "INTERRUPTED", "INACTIVE"].map((value) => ({
            value,
            label: value,
          })),
        ]}
      />
      <Select
        label="Last check"
        hideLabel
        value={filter.failing ? "1" : ""}
        onChange={(value) => put({ failing: value === "1" })}
        options={[
          { value: "", label: "Any result" },
          { value: "1", label: "Failing" },
        ]}
      />
      <Select
        label="Severity of the last change"
        hideLabel
        value={filter.severity}
        onChange={(severity) => put({ severity })}
        options={[
          { value: "", label: "Any severity" },
          { value: "notice", label: "Notice or higher" },
          { value: "important", label: "Important or higher" },
          { value: "critical", label: "Critical" },
        ]}
      />
      <Select
        label="Changed since"
        hideLabel
        value={filter.since}
        onChange={(since) => put({ since })}
        options={[
          { value: "", label: "Any time" },
          { value: "1", label: "Last 24 hours" },
          { value: "7", label: "Last 7 days" },
          { value: "30", label: "Last 30 days" },
        ]}
      />
      <Select
        label="Tag"
        hideLabel
        value={filter.tag}
        onChange={(tag) => put({ tag })}
        options={[
          { value: "", label: offered.length > 0 ? "Any tag" : "No tags yet" },
          ...offered.map((value) => ({ value, label: value })),
        ]}
      />
      <Select
        label="Sort by"
        hideLabel
        value={filter.sort}
        onChange={(sort) => put({ sort: sort as JobsFilter["sort"] })}
        options={[
          { value: "changed", label: "Newest change" },
          { value: "severity", label: "Most severe" },
          { value: "checked", label: "Newest check" },
          { value: "name", label: "By name" },
          { value: "group", label: "By group" },
        ]}
      />
    </div>
  );
}

function ListSkeleton() {
  return (
    <div className="grid gap-2 p-3">
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <Skeleton key={row} className="h-14" />
      ))}
    </div>
  );
}
