import { useDeferredValue, useState } from "react";
import { cx } from "#web/ui/cx.ts";
import { Select } from "#web/ui/select.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import type { Job } from "../queries.ts";
import { CrawlState } from "./crawl-state.tsx";
import { FolderTree } from "./folder-tree.tsx";
import { JobRules } from "./job-rules.tsx";
import { PageTable } from "./page-table.tsx";
import { RunDifference } from "./run-difference.tsx";
import { TemplateMap } from "./template-map.tsx";
import { type SiteFilter, useSiteState } from "./use-site.ts";

const statuses = [
  { value: "", label: "All addresses" },
  { value: "ok", label: "Pages" },
  { value: "moved", label: "Redirects" },
  { value: "broken", label: "Errors" },
  { value: "listed", label: "Not requested" },
  { value: "waiting", label: "Waiting" },
] as const satisfies { value: SiteFilter["status"]; label: string }[];

const sorts = [
  { value: "address", label: "By address" },
  { value: "newest", label: "Newest first" },
  { value: "size", label: "Largest first" },
  { value: "depth", label: "Nearest first" },
] as const satisfies { value: SiteFilter["sort"]; label: string }[];

const sources = [
  { value: "", label: "From anywhere" },
  { value: "scope", label: "From the scope list" },
  { value: "sitemap", label: "From sitemaps" },
  { value: "feed", label: "From feeds" },
  { value: "capture", label: "From captures" },
  { value: "link", label: "From links" },
  { value: "redirect", label: "From redirects" },
  { value: "script", label: "From scripts" },
] as const satisfies { value: SiteFilter["source"]; label: string }[];

const exports = [
  { format: "csv", label: "CSV" },
  { format: "json", label: "JSON" },
  { format: "xml", label: "Sitemap" },
] as const;

const views = [
  { id: "addresses", label: "Addresses" },
  { id: "templates", label: "Templates" },
  { id: "difference", label: "Difference" },
  { id: "rules", label: "Jobs by rule" },
] as const;
type View = (typeof views)[number]["id"];

/** The pages of a job's site: how far the crawl is, its addresses and templates, and the jobs that are made of them. */
export function SiteInventory({ job }: { job: Job }) {
  const state = useSiteState(job.id);
  const [view, setView] = useState<View>("addresses");
  const [template, setTemplate] = useState("");
  if (state.error && !state.data)
    return (
      <Failed title="We couldn’t load the inventory" action="Try again" onAction={() => void state.refetch()}>
        {state.error.message || "We couldn’t reach the server."}
      </Failed>
    );
  if (!state.data) return <Skeleton className="m-4 h-40" />;
  const { run, pages, known, waiting } = state.data;
  if (!run)
    return (
      <Empty icon="clock" title="The first crawl is on its way">
        It starts in a few seconds, and you can follow it here.
      </Empty>
    );
  return (
    <>
      <CrawlState jobId={job.id} run={run} waiting={waiting} maxPages={job.site?.maxPages ?? waiting} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2 text-sm">
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">View</legend>
          {views.map(({ id, label }) => (
            <button
              key={id}
              type="button"
              aria-pressed={view === id}
              onClick={() => setView(id)}
              className={cx(
                "rounded-control px-2.5 py-1",
                view === id ? "bg-fill font-medium" : "text-muted hover:bg-hover hover:text-ink",
              )}
            >
              {label}
            </button>
          ))}
        </fieldset>
        <p className="ms-auto flex flex-wrap gap-x-3 text-muted">
          <span className="figures">
            {pages.toLocaleString("en")} pages, {known.toLocaleString("en")} addresses
          </span>
          <span>
            Export:{" "}
            {exports.map(({ format, label }, at) => (
              <span key={format}>
                {at > 0 && ", "}
                <a
                  href={`/api/jobs/${job.id}/site/export?format=${format}`}
                  download
                  className="font-medium text-accent-text underline underline-offset-2"
                >
                  {label}
                </a>
              </span>
            ))}
          </span>
        </p>
      </div>
      {view === "addresses" && <Addresses jobId={job.id} />}
      {view === "templates" && (
        <TemplateMap
          jobId={job.id}
          onMakeJobs={(chosen) => {
            setTemplate(chosen);
            setView("rules");
          }}
        />
      )}
      {view === "difference" && <RunDifference job={job} />}
      {view === "rules" && <JobRules job={job} template={template} />}
    </>
  );
}

/** The folders of the site, and the addresses that match the search and the filter. */
function Addresses({ jobId }: { jobId: string }) {
  const [filter, setFilter] = useState<SiteFilter>({
    search: "",
    status: "",
    source: "",
    sort: "address",
    below: "",
  });
  const [offset, setOffset] = useState(0);
  const search = useDeferredValue(filter.search.trim());
  const change = (part: Partial<SiteFilter>) => {
    setFilter({ ...filter, ...part });
    setOffset(0);
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2 text-sm">
        <input
          type="search"
          aria-label="Search the inventory"
          placeholder="URL or title"
          value={filter.search}
          onChange={(event) => change({ search: event.target.value })}
          className="h-8 min-w-40 flex-1 rounded-control bg-surface px-2.5 ring-1 ring-line-strong ring-inset"
        />
        <Select
          label="Show"
          hideLabel
          value={filter.status}
          onChange={(status) => change({ status: status as SiteFilter["status"] })}
          options={statuses}
        />
        <Select
          label="Source"
          hideLabel
          value={filter.source}
          onChange={(source) => change({ source: source as SiteFilter["source"] })}
          options={sources}
        />
        <Select
          label="Order"
          hideLabel
          value={filter.sort}
          onChange={(sort) => change({ sort: sort as SiteFilter["sort"] })}
          options={sorts}
        />
      </div>
      <div className="flex flex-1 flex-col @xl:flex-row">
        <nav
          aria-label="Folders"
          className="max-h-44 shrink-0 overflow-y-auto border-b border-line p-2 @xl:max-h-none @xl:w-52 @xl:border-e @xl:border-b-0 @3xl:w-64"
        >
          <FolderTree jobId={jobId} below="" chosen={filter.below} onChoose={(below) => change({ below })} />
        </nav>
        <div className="flex min-w-0 flex-1 flex-col">
          <PageTable jobId={jobId} filter={{ ...filter, search }} offset={offset} onOffset={setOffset} />
        </div>
      </div>
    </>
  );
}
