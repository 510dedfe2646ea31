import { type BlockKind, blockKinds, type SearchQuery } from "#contract/page-block.ts";

/** The search as the URL holds it; empty parts are missing. */
export type SearchParams = {
  q: string;
  mode: SearchQuery["mode"];
  kind: BlockKind | "";
  group: string;
  job: string;
  tag: string;
  sort: SearchQuery["sort"];
  /** Days, as 2026-01-31. */
  from: string;
  to: string;
};

export const modes: { value: SearchQuery["mode"]; label: string }[] = [
  { value: "literal", label: "Exact text" },
  { value: "words", label: "All of these words" },
  { value: "regex", label: "Regular expression" },
];

export const sorts: { value: SearchQuery["sort"]; label: string }[] = [
  { value: "newest", label: "Newest first" },
  { value: "fewest", label: "On the fewest pages" },
  { value: "most", label: "On the most pages" },
];

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

export function readSearchParams(search: URLSearchParams): SearchParams {
  const get = (name: string) => search.get(name) ?? "";
  const day = (name: string) => (isDay(get(name)) ? get(name) : "");
  const kind = get("kind");
  return {
    q: get("q"),
    mode: modes.find(({ value }) => value === get("mode"))?.value ?? "literal",
    kind: Object.hasOwn(blockKinds, kind) ? (kind as BlockKind) : "",
    group: get("group"),
    job: get("job"),
    tag: get("tag"),
    sort: sorts.find(({ value }) => value === get("sort"))?.value ?? "newest",
    from: day("from"),
    to: day("to"),
  };
}

export function writeSearchParams({ mode, sort, ...rest }: SearchParams): Record<string, string | null> {
  const parts = Object.entries({
    ...rest,
    mode: mode === "literal" ? "" : mode,
    sort: sort === "newest" ? "" : sort,
  });
  return Object.fromEntries(parts.map(([name, value]) => [name, value === "" ? null : value]));
}

/** The query of the call; days are those of the user's time zone, the last one in full. */
export function toQuery({ q, mode, kind, group, job, tag, sort, from, to }: SearchParams, limit: number) {
  const start = (day: string, offset = 0) => {
    const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
    return new Date(year, month - 1, date + offset).toISOString();
  };
  return {
    q,
    mode,
    sort,
    limit,
    ...(kind && { kind }),
    ...(group && { groupId: group }),
    ...(job && { jobId: job }),
    ...(tag && { tag }),
    ...(from && { from: start(from) }),
    ...(to && { to: start(to, 1) }),
  };
}
