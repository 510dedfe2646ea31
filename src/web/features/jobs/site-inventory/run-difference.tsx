import { useState } from "react";
import { countOf } from "#web/ui/count-of.ts";
import { Select } from "#web/ui/select.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { shortTime } from "#web/ui/time/relative-time.ts";
import type { Job } from "../queries.ts";
import { Pager } from "./pager.tsx";
import { useSiteDifference } from "./use-site.ts";

/** Everything that differs between the inventories of two executions. */
export function RunDifference({ job }: { job: Job }) {
  const runs = job.executions.filter(({ error }) => !error);
  const [from, setFrom] = useState(runs[1]?.id ?? "");
  const [to, setTo] = useState(runs[0]?.id ?? "");
  const [offset, setOffset] = useState(0);
  const { data, error, refetch } = useSiteDifference(job.id, from, to, offset);
  const choose = (set: (id: string) => void) => (id: string) => {
    set(id);
    setOffset(0);
  };
  if (runs.length < 2)
    return (
      <Empty icon="clock" title="Nothing to compare yet">
        After the second crawl, you can compare two crawls here.
      </Empty>
    );
  const options = runs.map(({ id, index, createdAt }) => ({
    value: id,
    label: `#${index}, ${shortTime(Date.parse(createdAt))}`,
  }));
  return (
    <>
      <div className="flex flex-wrap items-end gap-3 border-b border-line px-4 py-2">
        <Select label="From" value={from} onChange={choose(setFrom)} options={options} />
        <Select label="To" value={to} onChange={choose(setTo)} options={options} />
        {data && <p className="figures py-1.5 text-sm text-muted">{countOf(data.total, "difference")}</p>}
      </div>
      {from === to && <Empty icon="info" title="Choose two different crawls" />}
      {error && (
        <Failed title="We couldn’t compare the crawls" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {!data && !error && from !== to && <Skeleton className="m-4 h-40" />}
      {data?.total === 0 && <Empty icon="check" title="The inventories are the same" />}
      {data && data.differences.length > 0 && (
        <ul aria-label="Differences" className="text-sm">
          {data.differences.map(({ address, sentence, before, after }) => (
            <li
              key={address + sentence}
              className="flex gap-3 border-b border-line px-4 py-1.5 last:border-0"
            >
              <Sign before={before} after={after} />
              <span className="wrap-anywhere">{sentence}</span>
            </li>
          ))}
        </ul>
      )}
      {data && data.total > data.differences.length && (
        <Pager offset={offset} shown={data.differences.length} total={data.total} onOffset={setOffset} />
      )}
    </>
  );
}

function Sign({ before, after }: { before: string | null; after: string | null }) {
  if (before === null) return <span className="w-3 font-mono text-added">+</span>;
  if (after === null) return <span className="w-3 font-mono text-removed">−</span>;
  return <span className="w-3 font-mono text-changed">~</span>;
}
