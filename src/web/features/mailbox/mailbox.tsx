import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { call, isNotFound } from "#web/api/call.ts";
import { cx } from "#web/ui/cx.ts";
import { Wordmark } from "#web/ui/mark.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { Time } from "#web/ui/time/time.tsx";
import { useTitle } from "#web/ui/use-title.ts";
import { MailView } from "./mail-view.tsx";

/** The mails of an installation without a mail server, stored on this machine. */
export function Mailbox() {
  useTitle("Mailbox");
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }));
  return (
    <QueryClientProvider client={client}>
      <div className="min-h-dvh bg-canvas">
        <header className="flex items-center gap-4 border-b border-line bg-surface px-4 py-3">
          <Link to="/" aria-label="Watchglass" className="rounded-sm">
            <Wordmark />
          </Link>
          <h1 className="border-s border-line ps-4 text-base">Mailbox</h1>
          <p className="text-sm text-muted max-sm:hidden">
            Emails stored on this machine instead of being sent
          </p>
        </header>
        <main tabIndex={-1} className="mx-auto max-w-360 p-4 outline-none">
          <Mails />
        </main>
      </div>
    </QueryClientProvider>
  );
}

function Mails() {
  const [search, setSearch] = useSearchParams();
  const { data, error, refetch } = useQuery({
    queryKey: ["mailbox"],
    queryFn: ({ signal }) => call("GET /api/mailbox", undefined, { signal }),
    // Users open this page while they wait for a mail to arrive.
    refetchInterval: (query) => (query.state.error ? false : 3000),
  });
  if (isNotFound(error)) {
    return (
      <Empty icon="mail" title="The local mailbox is off">
        This installation sends email through a mail server, or can be reached from other machines.
      </Empty>
    );
  }
  if (error && !data) {
    return (
      <Failed title="We couldn’t read the mailbox" action="Try again" onAction={() => void refetch()}>
        {error.message || "We couldn’t reach the server."} The emails are still stored.
      </Failed>
    );
  }
  if (!data) return <Skeleton className="h-80" />;
  if (data.mails.length === 0) {
    return (
      <Empty icon="mail" title="No emails yet">
        Activation links, recovery links and alerts appear here.
      </Empty>
    );
  }
  const chosen = data.mails.find((mail) => mail.id === search.get("mail")) ?? data.mails[0];
  return (
    <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-[340px_minmax(0,1fr)]">
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        {data.mails.map((mail) => (
          <li key={mail.id}>
            <button
              type="button"
              aria-current={mail.id === chosen?.id}
              onClick={() => setSearch({ mail: mail.id })}
              className={cx(
                "grid w-full grid-cols-[minmax(0,1fr)] gap-0.5 px-4 py-2.5 text-start -outline-offset-2 transition-colors hover:bg-hover",
                mail.id === chosen?.id && "bg-fill",
              )}
            >
              <span className="flex items-baseline gap-3">
                <span className="min-w-0 flex-1 truncate font-medium">{mail.subject}</span>
                <Time at={mail.date} className="text-xs whitespace-nowrap text-muted" />
              </span>
              <span className="truncate text-sm text-muted">{mail.to}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className="min-w-0 rounded-card border border-line bg-surface">
        {chosen && <MailView key={chosen.id} id={chosen.id} />}
      </div>
    </div>
  );
}
