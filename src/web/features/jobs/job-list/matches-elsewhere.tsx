import { Link } from "react-router";
import { countOf } from "#web/ui/count-of.ts";
import { jobUrl } from "#web/ui/urls/job-url.ts";
import { filterJobs, readFilter, toSearchable } from "../all-jobs/filter-jobs.ts";
import { useAllJobs } from "../all-jobs/use-all-jobs.ts";

const maxShown = 5;

/** Says which jobs of other groups a search would have found, and leads to them. */
export function MatchesElsewhere({ query, groupId }: { query: string; groupId: string }) {
  const { data } = useAllJobs();
  const others = toSearchable((data ?? []).filter((job) => job.groupId !== groupId));
  const filter = { ...readFilter(new URLSearchParams({ sort: "name" })), q: query };
  // No date is asked for, so the time doesn't matter.
  const found = filterJobs(others, filter, 0);
  if (found.length === 0) return null;
  return (
    <div className="grid gap-1 border-t border-line px-3 py-2 text-sm">
      <p className="text-muted">{countOf(found.length, "match", "matches")} in other groups</p>
      <ul className="grid gap-0.5">
        {found.slice(0, maxShown).map((job) => (
          <li key={job.id} className="grid grid-cols-[minmax(0,1fr)]">
            <Link
              to={jobUrl({ jobId: job.id, groupId: job.groupId })}
              className="truncate rounded-sm px-1 py-0.5 hover:bg-hover"
              title={`${job.group} / ${job.name}`}
            >
              {job.name} <span className="text-muted">in {job.group}</span>
            </Link>
          </li>
        ))}
      </ul>
      <Link
        to={`/dashboard?${new URLSearchParams({ view: "all-jobs", q: query })}`}
        className="text-accent-text hover:underline"
      >
        Search all jobs
      </Link>
    </div>
  );
}
