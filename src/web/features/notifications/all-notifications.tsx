import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useState } from "react";
import { type Entry, useAllNotifications, useMarkNotificationsRead } from "#web/api/notifications.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { NotificationRow } from "#web/ui/notification-row.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";

const rowHeight = 63;

/** The whole feed. Only visible rows are rendered; scrolling loads further pages. */
export function AllNotifications({ onClose }: { onClose: () => void }) {
  const [day, setDay] = useState("");
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useAllNotifications(
    endOf(day),
  );
  const markRead = useMarkNotificationsRead();
  const entries = data?.pages.flatMap((page) => page.notifications);
  const unread = data?.pages[0]?.unread ?? 0;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="All notifications"
      footer={
        <>
          {unread > 0 && (
            <Button busy={markRead.isPending} onClick={() => markRead.mutate(undefined)}>
              Mark all read
            </Button>
          )}
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <Field
        label="Up to"
        type="date"
        className="mt-3 w-44"
        value={day}
        onChange={(event) => setDay(event.target.value)}
      />
      {error && !entries && (
        <Failed title="We couldn’t load the notifications" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      )}
      {!entries && !error && <Skeleton className="mt-3 h-80" />}
      {entries?.length === 0 && (
        <Empty icon="bell" title={day ? "No notifications up to this day" : "No notifications yet"} />
      )}
      {entries && entries.length > 0 && (
        <Rows
          entries={entries}
          onRead={(id) => markRead.mutate([id])}
          onFollow={onClose}
          onEnd={() => {
            if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
          }}
        />
      )}
    </Dialog>
  );
}

/** The end of a day in the browser's time zone. */
function endOf(day: string): string | undefined {
  if (!day) return undefined;
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  return end.toISOString();
}

type RowsProps = { entries: Entry[]; onRead: (id: string) => void; onFollow: () => void; onEnd: () => void };

function Rows({ entries, onRead, onFollow, onEnd }: RowsProps) {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  // No compiler memoizes this file, so the functions that the virtualizer returns are never stale.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const items = virtualizer.getVirtualItems();
  const isAtEnd = items.at(-1)?.index === entries.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd();
  });
  return (
    <div ref={setScroller} className="mt-3 h-[60vh] overflow-y-auto rounded-control border border-line">
      <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const entry = entries[item.index];
          return (
            entry && (
              <li
                key={entry.id}
                aria-setsize={entries.length}
                aria-posinset={item.index + 1}
                className="absolute inset-x-0 border-b border-line"
                style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              >
                <NotificationRow entry={entry} onRead={onRead} onFollow={onFollow} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}
