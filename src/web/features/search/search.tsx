import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { blockKinds, isListedKind, listedKinds } from "#contract/page-block.ts";
import { call } from "#web/api/call.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { useUrlParams } from "#web/ui/urls/use-url-params.ts";
import { Results } from "./results.tsx";
import { type AlertDraft, emptyDraft, SearchAlertDialog } from "./search-alert-dialog.tsx";
import { SearchAlerts } from "./search-alerts.tsx";
import {
  modes,
  readSearchParams,
  type SearchParams,
  sorts,
  toQuery,
  writeSearchParams,
} from "./search-params.ts";

const pageSize = 25;
const maxShown = 200;

/** Finds what was on the watched pages: since when, until when, and on which of them. */
export function Search() {
  const [search, change] = useUrlParams();
  const params = readSearchParams(search);
  const put = (part: Partial<SearchParams>) => change(writeSearchParams({ ...params, ...part }), true);
  const [draft, setDraft] = useState<AlertDraft>();
  return (
    <div className="mx-auto grid max-w-240 grid-cols-1 gap-4">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h1 className="text-xl">Search</h1>
        {params.q !== "" && (
          <Button icon="bell" onClick={() => setDraft(toDraft(params))}>
            Alert me about this
          </Button>
        )}
      </div>
      <SearchForm key={params.q} params={params} put={put} />
      {params.q === "" && !isListedKind(params.kind) ? (
        <Start />
      ) : (
        <FoundLines key={search.toString()} params={params} />
      )}
      <SearchAlerts />
      {draft && <SearchAlertDialog draft={draft} onClose={() => setDraft(undefined)} />}
    </div>
  );
}

const toDraft = ({ q, mode, kind, group }: SearchParams): AlertDraft => ({
  ...emptyDraft,
  name: q.slice(0, 60),
  q,
  mode,
  kind: kind || null,
  groupIds: group ? [group] : null,
});

/** Before a search: what it finds, and lists that need none. */
function Start() {
  return (
    <section aria-label="Results" className="rounded-card border border-line bg-surface">
      <Empty icon="search" title="Search everything your pages have shown">
        Text, links, scripts, hosts, headers, cookies and email addresses of every stored capture: when
        something was first seen, on which pages, and when it was gone.
      </Empty>
      <div className="grid gap-2 border-t border-line p-4">
        <h2 className="text-sm font-medium">Or list what your pages use</h2>
        <ul className="flex flex-wrap gap-2">
          {Object.entries(listedKinds).map(([kind, label]) => (
            <li key={kind}>
              <ButtonLink size="sm" to={`/dashboard?view=search&kind=${kind}`}>
                {label}
              </ButtonLink>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

type FormProps = { params: SearchParams; put: (part: Partial<SearchParams>) => void };

function SearchForm({ params, put }: FormProps) {
  const [q, setQ] = useState(params.q);
  function submit(event: FormEvent) {
    event.preventDefault();
    put({ q: q.trim() });
  }
  return (
    <form
      aria-label="Search"
      onSubmit={submit}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-card border border-line bg-surface p-4"
    >
      <div className="grid grid-cols-1 items-end gap-3 sm:grid-cols-[minmax(0,1fr)_12rem_auto]">
        <Field
          label="Search for"
          type="search"
          maxLength={300}
          value={q}
          onChange={(event) => setQ(event.target.value)}
        />
        <Select
          label="Match"
          value={params.mode}
          onChange={(mode) => put({ q: q.trim(), mode: mode as SearchParams["mode"] })}
          options={modes}
        />
        <Button look="primary" type="submit">
          Search
        </Button>
      </div>
      <Filters params={params} put={(part) => put({ q: q.trim(), ...part })} />
    </form>
  );
}

function Filters({ params, put }: FormProps) {
  const { data: jobs = [] } = useQuery({
    queryKey: ["search", "jobs"],
    queryFn: async ({ signal }) => (await call("GET /api/jobs", { query: {} }, { signal })).jobs,
  });
  const groups = new Map(jobs.map(({ groupId, group }) => [groupId, group]));
  const tags = [...new Set([...jobs.flatMap((job) => job.tags), ...(params.tag ? [params.tag] : [])])].sort();
  const options = (any: string, all: Iterable<readonly [string, string]>) => [
    { value: "", label: any },
    ...Array.from(all, ([value, label]) => ({ value, label })),
  ];
  const offered = jobs.filter(({ groupId }) => !params.group || groupId === params.group);
  return (
    <div
      className={cx(
        "grid gap-3",
        // Six fields fill one row of a wide screen, seven two.
        tags.length > 0
          ? "grid-cols-[repeat(auto-fill,minmax(min(12rem,calc(50%-0.375rem)),1fr))]"
          : "grid-cols-[repeat(auto-fill,minmax(min(8.5rem,calc(50%-0.375rem)),1fr))]",
      )}
    >
      <Select
        label="Kind"
        value={params.kind}
        onChange={(kind) => put({ kind: kind as SearchParams["kind"] })}
        options={options("Everything", Object.entries(blockKinds))}
      />
      <Select
        label="Group"
        value={params.group}
        onChange={(group) => put({ group, job: "" })}
        options={options("All groups", groups)}
      />
      <Select
        label="Job"
        value={params.job}
        onChange={(job) => put({ job })}
        options={options(
          "All jobs",
          offered.map(({ id, name }) => [id, name] as const),
        )}
      />
      {tags.length > 0 && (
        <Select
          label="Tag"
          value={params.tag}
          onChange={(tag) => put({ tag })}
          options={options(
            "Any tag",
            tags.map((tag) => [tag, tag] as const),
          )}
        />
      )}
      <Select
        label="Sort"
        value={params.sort}
        onChange={(sort) => put({ sort: sort as SearchParams["sort"] })}
        options={sorts}
      />
      <Field
        label="Seen from"
        type="date"
        value={params.from}
        onChange={(event) => put({ from: event.target.value })}
      />
      <Field
        label="Seen until"
        type="date"
        value={params.to}
        onChange={(event) => put({ to: event.target.value })}
      />
    </div>
  );
}

function FoundLines({ params }: { params: SearchParams }) {
  const [limit, setLimit] = useState(pageSize);
  const { data, error, refetch, isPending, isFetching } = useQuery({
    queryKey: ["search", params, limit],
    queryFn: ({ signal }) => call("GET /api/search", { query: toQuery(params, limit) }, { signal }),
    placeholderData: (previous) => previous,
    retry: false,
  });
  return (
    <section
      aria-label="Results"
      aria-busy={isFetching}
      className="overflow-clip rounded-card border border-line bg-surface"
    >
      {isPending && <Skeleton className="m-4 h-40" />}
      {error && (
        <Failed title="We couldn’t search" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {data && !error && (
        <Results
          results={data}
          onMore={limit < maxShown ? () => setLimit(Math.min(limit * 2, maxShown)) : undefined}
        />
      )}
    </section>
  );
}
