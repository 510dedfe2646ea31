import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Navigate, useLocation, useSearchParams } from "react-router";
import { CallError } from "#web/api/call.ts";
import { useLive } from "#web/api/live-events/live.ts";
import { type Me, useMe } from "#web/api/me.ts";
import { createQueryClient } from "#web/api/query-client.ts";
import { LoadBoundary } from "#web/ui/lazy-loading/load-boundary.tsx";
import { SkipLink } from "#web/ui/skip-link.tsx";
import { Failed, Skeleton } from "#web/ui/states.tsx";
import { Toaster } from "#web/ui/toaster.tsx";
import { useTitle } from "#web/ui/use-title.ts";
import { Menu } from "./menu.tsx";
import { viewOf, views } from "./views.ts";

/** The signed-in area. Leaving it discards everything it cached. */
export function Shell() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <SignedIn />
      <Toaster />
    </QueryClientProvider>
  );
}

function SignedIn() {
  const { data: me, error, refetch } = useMe();
  const { pathname, search } = useLocation();
  if (me) return <Views me={me} />;
  const isSignedOut = me === null || (error instanceof CallError && error.status === 401);
  if (isSignedOut) return <Navigate to="/login" replace state={{ from: pathname + search }} />;
  if (!error) return <ShellSkeleton />;
  return (
    <main tabIndex={-1} className="grid min-h-dvh place-items-center">
      <Failed title="We can’t reach Watchglass" action="Try again" onAction={() => void refetch()}>
        {error.message || "We couldn’t reach the server."} Your jobs keep running meanwhile.
      </Failed>
    </main>
  );
}

function Views({ me }: { me: Me }) {
  const [search] = useSearchParams();
  const current = viewOf(search);
  const view = views.find(({ id }) => id === current);
  const main = useRef<HTMLElement>(null);
  const shown = useRef(current);
  useLive();
  useTitle(view?.label ?? "Dashboard");
  useEffect(() => {
    if (shown.current === current) return;
    shown.current = current;
    scrollTo({ top: 0, behavior: "instant" });
    main.current?.focus({ preventScroll: true });
  }, [current]);
  return (
    <div className="min-h-dvh bg-canvas menu:grid menu:grid-cols-[232px_minmax(0,1fr)]">
      <SkipLink />
      <Menu me={me} current={current} />
      <main
        ref={main}
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-360 min-w-0 p-4 outline-none sm:p-6"
      >
        <LoadBoundary page={current} fallback={<ViewSkeleton />}>
          {view && <view.Screen />}
        </LoadBoundary>
      </main>
    </div>
  );
}

function ShellSkeleton() {
  return (
    <div className="min-h-dvh bg-canvas menu:grid menu:grid-cols-[232px_minmax(0,1fr)]">
      <div className="border-line bg-surface max-menu:h-13 max-menu:border-b menu:border-e" />
      <main tabIndex={-1} aria-busy="true" className="p-4 sm:p-6">
        <ViewSkeleton />
      </main>
    </div>
  );
}

function ViewSkeleton() {
  return (
    <div className="grid gap-6">
      <Skeleton className="h-7 w-40" />
      <div className="grid gap-3 sm:grid-cols-3">
        {["a", "b", "c", "d", "e", "f"].map((key) => (
          <Skeleton key={key} className="h-20" />
        ))}
      </div>
      <Skeleton className="h-72" />
    </div>
  );
}
