import type { JobLine } from "#contract/change.ts";

const severities = ["info", "notice", "important", "critical"];

const sortNames = ["changed", "severity", "name", "group", "checked"] as const;
type SortName = (typeof sortNames)[number];

/** What the list of all jobs shows; the URL holds it, so that a view can be bookmarked and shared. */
export type JobsFilter = {
  q: string;
  status: string;
  severity: string;
  /** Days. */
  since: string;
  tag: string;
  failing: boolean;
  sort: SortName;
};

const names = ["q", "status", "severity", "since", "tag"] as const;

export function readFilter(search: URLSearchParams): JobsFilter {
  const text = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ""])) as Omit<
    JobsFilter,
    "failing" | "sort"
  >;
  return {
    ...text,
    failing: search.get("failing") === "1",
    sort: sortNames.find((name) => name === search.get("sort")) ?? "changed",
  };
}

/** The parts of the URL that a filter stands for; null for what is at its default. */
export function writeFilter(filter: JobsFilter): Record<string, string | null> {
  return {
    ...Object.fromEntries(names.map((name) => [name, filter[name] || null])),
    failing: filter.failing ? "1" : null,
    sort: filter.sort === "changed" ? null : filter.sort,
  };
}

export type SearchableJob = { job: JobLine; text: string };

/** Joins once what a search looks at: name, URL, tags, group and the text of the newest change. */
export function toSearchable(jobs: JobLine[]): SearchableJob[] {
  return jobs.map((job) => {
    const { name, url, tags, group, lastChange } = job;
    const parts = [name, url, ...tags, group, lastChange?.summary ?? "", lastChange?.text ?? ""];
    return { job, text: parts.join("\n").toLowerCase() };
  });
}

/** The jobs whose text contains every word of the query, and that meet the other conditions. */
export function filterJobs(jobs: SearchableJob[], filter: JobsFilter, now: number): JobLine[] {
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
  const from = filter.since ? now - Number(filter.since) * 86_400_000 : null;
  const least = severities.indexOf(filter.severity);
  return jobs
    .filter(({ job, text }) => {
      const change = job.lastChange ?? null;
      return (
        words.every((word) => text.includes(word)) &&
        (!filter.status || job.status === filter.status) &&
        (!filter.failing || job.failing) &&
        (!filter.tag || job.tags.includes(filter.tag)) &&
        (from === null || (change !== null && Date.parse(change.at) >= from)) &&
        (least < 0 || (change !== null && severities.indexOf(change.severity) >= least))
      );
    })
    .map(({ job }) => job)
    .toSorted(orders[filter.sort]);
}

const byName = (a: JobLine, b: JobLine) => a.name.localeCompare(b.name, undefined, { numeric: true });
const newestFirst = (a: string | null | undefined, b: string | null | undefined) =>
  (b ?? "").localeCompare(a ?? "");
const byChange = (a: JobLine, b: JobLine) => newestFirst(a.lastChange?.at, b.lastChange?.at) || byName(a, b);

const orders: Record<SortName, (a: JobLine, b: JobLine) => number> = {
  changed: byChange,
  severity: (a, b) =>
    severities.indexOf(b.lastChange?.severity ?? "") - severities.indexOf(a.lastChange?.severity ?? "") ||
    byChange(a, b),
  name: byName,
  group: (a, b) => a.group.localeCompare(b.group, undefined, { numeric: true }) || byName(a, b),
  checked: (a, b) => newestFirst(a.lastCheckAt, b.lastCheckAt) || byName(a, b),
};

/** All tags in use, by name. */
export const tagsIn = (jobs: JobLine[]) => [...new Set(jobs.flatMap(({ tags }) => tags))].toSorted();
