import * as Popover from "radix-ui/popover";
import { useState } from "react";
import { useMarkNotificationsRead, useNewestNotifications } from "#web/api/notifications.ts";
import { Button } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { lazyPart } from "#web/ui/lazy-loading/lazy-part.ts";
import { LoadBoundary } from "#web/ui/lazy-loading/load-boundary.tsx";
import { NotificationRow } from "#web/ui/notification-row.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { useNarrow } from "#web/ui/use-narrow.ts";
import { badgeText } from "./badge-text.ts";

const AllNotifications = lazyPart(
  "notifications",
  async () => (await import("./all-notifications.tsx")).AllNotifications,
);

/** The menu entry with its unread badge, and the eight newest entries in a dropdown. */
export function Notifications({ className }: { className: string }) {
  const [open, setOpen] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  const { data, error, refetch } = useNewestNotifications();
  const markRead = useMarkNotificationsRead();
  const isNarrow = useNarrow();
  const unread = data?.unread ?? 0;
  return (
    <>
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger className={className}>
          <Icon name="bell" />
          Notifications
          {unread > 0 && (
            <span className="figures ms-auto rounded-full bg-accent px-1.5 text-xs font-medium text-accent-ink">
              {badgeText(unread)}
              <span className="sr-only"> unread</span>
            </span>
          )}
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            side={isNarrow ? "bottom" : "right"}
            align="start"
            sideOffset={10}
            collisionPadding={12}
            aria-label="Notifications"
            className="z-30 flex max-h-(--radix-popover-content-available-height) w-[min(400px,calc(100vw-24px))] animate-rise flex-col rounded-card border border-line bg-raised shadow-float"
          >
            <div className="flex h-11 shrink-0 items-center justify-between border-b border-line ps-4 pe-2">
              <h2 className="text-base">Notifications</h2>
              {unread > 0 && (
                <Button
                  look="ghost"
                  size="sm"
                  busy={markRead.isPending}
                  onClick={() => markRead.mutate(undefined)}
                >
                  Mark all read
                </Button>
              )}
            </div>
            <div className="min-h-0 overflow-y-auto">
              {error && !data && (
                <Failed
                  title="We couldn’t load the notifications"
                  action="Try again"
                  onAction={() => void refetch()}
                >
                  {error.message || "We couldn’t reach the server."}
                </Failed>
              )}
              {!data && !error && <Skeleton className="m-4 h-40" />}
              {data?.notifications.length === 0 && (
                <Empty icon="bell" title="No notifications yet">
                  Changes, interrupted jobs and failed deliveries appear here.
                </Empty>
              )}
              <ul className="divide-y divide-line">
                {data?.notifications.slice(0, 8).map((entry) => (
                  <li key={entry.id}>
                    <NotificationRow
                      entry={entry}
                      onRead={(id) => markRead.mutate([id])}
                      onFollow={() => setOpen(false)}
                    />
                  </li>
                ))}
              </ul>
            </div>
            {data && data.notifications.length > 0 && (
              <div className="shrink-0 border-t border-line p-1.5">
                <Button
                  look="ghost"
                  className="w-full"
                  onClick={() => {
                    setOpen(false);
                    setShowsAll(true);
                  }}
                >
                  See all
                </Button>
              </div>
            )}
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      {showsAll && (
        <LoadBoundary>
          <AllNotifications onClose={() => setShowsAll(false)} />
        </LoadBoundary>
      )}
    </>
  );
}
