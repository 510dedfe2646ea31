import { useInfiniteQuery } from "@tanstack/react-query";
import type { AuditEntry } from "#contract/audit.ts";
import { call } from "#web/api/call.ts";
import { Button, DownloadLink } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time/time.tsx";

const actors: Record<AuditEntry["actor"], string | null> = {
  you: null,
  operator: "by the operator",
  payments: "by the payment provider",
  telegram: "by Telegram",
  link: "by a link in an email",
};

/** What was done to the account: who, when, from where. */
export function Activity() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["activity"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call("GET /api/me/audit", { query: { limit: 8, cursor: pageParam } }, { signal }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  const entries = data?.pages.flatMap((page) => page.entries);
  return (
    <Card title="Activity">
      {error && !entries && (
        <Failed title="We couldn’t load the activity" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {!entries && !error && <Skeleton className="m-4 h-40" />}
      {entries?.length === 0 && <Empty icon="clock" title="No activity yet" />}
      {entries && entries.length > 0 && (
        <>
          <ul aria-label="Activity">
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </ul>
          <div className="flex flex-wrap items-center justify-between gap-3 p-4">
            <p className="text-sm text-muted">Kept for a year.</p>
            <div className="flex flex-wrap gap-2">
              {hasNextPage && (
                <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  Show more
                </Button>
              )}
              <DownloadLink href="/api/me/audit/export">Download CSV</DownloadLink>
            </div>
          </div>
        </>
      )}
    </Card>
  );
}

function Row({ entry }: { entry: AuditEntry }) {
  const from = [actors[entry.actor], entry.device, entry.address].filter(Boolean).join(", ");
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-b border-line px-4 py-2.5">
      <span className="min-w-0 flex-1 basis-64 break-words">
        {entry.text}
        {entry.about && <span className="text-muted"> · {entry.about}</span>}
      </span>
      <span className="text-sm text-muted">
        {from && <>{from} · </>}
        <Time at={entry.at} />
      </span>
    </li>
  );
}
