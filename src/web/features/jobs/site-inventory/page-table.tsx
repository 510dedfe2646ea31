import { formatBytes } from "#web/ui/format-bytes.ts";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { StatusCode } from "../execution-list/status-code.tsx";
import { describePage, describeSource } from "./describe-page.ts";
import { Pager } from "./pager.tsx";
import { type SiteFilter, type SitePage, useSitePages } from "./use-site.ts";

type PageTableProps = {
  jobId: string;
  filter: SiteFilter;
  offset: number;
  onOffset: (offset: number) => void;
};

/** A part of the inventory, one address per row. */
export function PageTable({ jobId, filter, offset, onOffset }: PageTableProps) {
  const { data, error, refetch } = useSitePages(jobId, filter, offset);
  if (error && !data)
    return (
      <Failed title="We couldn’t load the inventory" action="Try again" onAction={() => void refetch()}>
        {error.message || "We couldn’t reach the server."}
      </Failed>
    );
  if (!data) return <Skeleton className="m-4 h-40" />;
  const isFiltered =
    filter.search !== "" || filter.status !== "" || filter.below !== "" || filter.source !== "";
  if (data.pages.length === 0)
    return (
      <Empty
        icon={isFiltered ? "search" : "clock"}
        title={isFiltered ? "No address matches" : "The crawl is on its way"}
      >
        {isFiltered ? "Change the search or the filter above." : "Addresses appear here as they are found."}
      </Empty>
    );
  return (
    <>
      <ul aria-label="Addresses" className="flex-1">
        {data.pages.map((page) => (
          <Row key={page.address} page={page} />
        ))}
      </ul>
      <Pager offset={offset} shown={data.pages.length} total={data.total} onOffset={onOffset} />
    </>
  );
}

function Row({ page }: { page: SitePage }) {
  const special = describePage(page);
  const { address, title, status, bytes, firstSeen, scriptHosts } = page;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 border-b border-line px-4 py-2 text-sm last:border-0 hover:bg-hover">
      <span className="w-9 pt-px">
        {status === null ? <span className="text-quiet">–</span> : <StatusCode code={status} />}
      </span>
      <div className="grid gap-0.5">
        <a
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          className="font-mono text-xs wrap-anywhere text-accent-text hover:underline"
        >
          {address}
        </a>
        {title && <p className="wrap-anywhere">{title}</p>}
        {special && <p className="wrap-anywhere text-muted">{special}</p>}
        <p className="flex flex-wrap gap-x-3 text-muted">
          <span>{describeSource(page)}</span>
          {bytes !== null && bytes > 0 && <span className="figures">{formatBytes(bytes)}</span>}
          {scriptHosts.length > 0 && (
            <span className="wrap-anywhere">scripts from {scriptHosts.join(", ")}</span>
          )}
          <span>
            first seen <Time at={firstSeen} />
          </span>
        </p>
      </div>
    </li>
  );
}
