import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { Link, useParams } from "react-router";
import { call, isNotFound, type ReplyOf, stream } from "#web/api/call.ts";
import { createQueryClient } from "#web/api/query-client.ts";
import { formatSimilarity } from "#web/ui/format-similarity.ts";
import { Wordmark } from "#web/ui/mark.tsx";
import { SeverityWord } from "#web/ui/severity.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { exactTime } from "#web/ui/time/relative-time.ts";
import { useTitle } from "#web/ui/use-title.ts";
import { type Capture, CapturePane } from "../capture-pane.tsx";
import { ShowOnPicture } from "../changes-and-reasons/show-on-picture.tsx";
import { Findings, Reasons, Section } from "../changes-and-reasons/verdict-view.tsx";
import { numberOf, splitRegions } from "../image/regions.ts";
import { type Command, useKeys } from "../keyboard-shortcuts/keys.ts";
import { sidePanel, stage, stageAndPanel } from "../layout.ts";
import { ViewerToolbar } from "../toolbar.tsx";
import { useViewState } from "../url-state/use-view-state.ts";
import { ImportNote } from "./import-note.tsx";

type Shared = ReplyOf<"GET /api/share/:token">;

/** What someone with a link sees: one comparison, read-only, with nothing about its owner. */
export function SharedPage() {
  const [client] = useState(createQueryClient);
  const { token = "" } = useParams();
  useNoIndex();
  useTitle("Shared comparison");
  return (
    <QueryClientProvider client={client}>
      <Page token={token} />
    </QueryClientProvider>
  );
}

function useNoIndex() {
  useEffect(() => {
    const meta = document.createElement("meta");
    meta.name = "robots";
    meta.content = "noindex, nofollow";
    document.head.append(meta);
    return () => meta.remove();
  }, []);
}

function Page({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["share", token],
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => call("GET /api/share/:token", { params: { token } }, { signal }),
  });
  const isGone = isNotFound(error);
  if (data && !isGone) return <SharedComparison token={token} shared={data} onLost={() => void refetch()} />;
  return (
    <main tabIndex={-1} className="grid min-h-dvh place-items-center bg-canvas outline-none">
      {isGone ? (
        <div className="grid justify-items-center">
          <Link to="/" aria-label="Watchglass" className="rounded-sm">
            <Wordmark />
          </Link>
          <h1 className="sr-only">Shared comparison</h1>
          <Empty icon="link" title="This link does not work">
            Links expire, and the person who made one can revoke it. Ask them for a new link.
          </Empty>
        </div>
      ) : error ? (
        <Failed title="We couldn’t load the comparison" action="Try again" onAction={() => void refetch()}>
          {error.message || "We couldn’t reach the server."}
        </Failed>
      ) : (
        <Skeleton className="h-96 w-full max-w-160" />
      )}
    </main>
  );
}

function captureOfSide(
  token: string,
  side: "before" | "after",
  shown: Shared["after"],
  onLost: () => void,
): Capture {
  const params = { token, side };
  return {
    key: `${token}-${side}`,
    label: `${side === "before" ? "Before" : "After"} · ${exactTime(Date.parse(shown.createdAt))}`,
    image: shown.hasImage ? `/api/share/${encodeURIComponent(token)}/${side}/image` : null,
    load: async (signal) => {
      try {
        return await (await stream("GET /api/share/:token/:side/html", { params }, { signal })).text();
      } catch (error) {
        // The link may have been revoked meanwhile.
        if (!signal.aborted) onLost();
        throw error;
      }
    },
  };
}

type SharedComparisonProps = { token: string; shared: Shared; onLost: () => void };

function SharedComparison({ token, shared, onLost }: SharedComparisonProps) {
  const { before, after, comparison } = shared;
  const isUnchanged = comparison?.changed === false;
  const marks = useMemo(() => splitRegions(comparison), [comparison]);
  const hasImage = after.hasImage && (before?.hasImage ?? true);
  const look = useViewState(hasImage, marks, true);
  const run = (command: Command) => void look.run(command);
  useKeys(run, true);
  return (
    <main tabIndex={-1} className="flex h-dvh flex-col bg-canvas outline-none">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-surface px-3 py-2">
        <Link to="/" aria-label="Watchglass" className="rounded-sm">
          <Wordmark />
        </Link>
        <h1 className="max-w-max flex-[1_1_8rem] truncate font-mono text-sm font-normal" title={shared.page}>
          {shared.page}
        </h1>
        <p className="ms-auto text-sm text-muted">Link expires {exactTime(Date.parse(shared.expiresAt))}</p>
        <ImportNote before={before} after={after} />
      </header>
      <ViewerToolbar
        tools={look}
        hasImage={hasImage}
        isCompared={before !== null}
        isUnchanged={isUnchanged}
        marks={marks}
        run={run}
      />
      <div className={stageAndPanel}>
        <div className={stage}>
          <CapturePane
            look={look.look}
            before={before && captureOfSide(token, "before", before, onLost)}
            after={captureOfSide(token, "after", after, onLost)}
            marks={marks}
            steps={look.steps}
            onPick={look.showRegion}
            onLocated={look.onLocated}
            onCounted={look.onCounted}
            onFit={look.onFit}
          />
        </div>
        {comparison && (
          <aside
            aria-label="What changed"
            // The panel scrolls and may have no focusable content, so it needs to be a tab stop itself.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            className={sidePanel}
          >
            <h2 className="sr-only">The comparison</h2>
            <Section title="What changed" note={`${formatSimilarity(comparison.similarity)} alike`}>
              <p className="text-sm">
                {comparison.summary} {comparison.changed && <SeverityWord severity={comparison.severity} />}
              </p>
              <p className="figures text-sm text-muted">
                Status {before?.status_code ?? "–"} → {after.status_code ?? "–"}
              </p>
            </Section>
            {comparison.reasons.length > 0 && (
              <Section title="Why it counts as a change">
                <Reasons
                  reasons={comparison.reasons}
                  region={look.look.show === "image" ? numberOf(marks, look.look.at) : undefined}
                  tools={({ region }) => (
                    <ShowOnPicture
                      region={region}
                      onRegion={(one) => look.showRegion(marks.places[one] ?? 0)}
                    />
                  )}
                />
              </Section>
            )}
            {comparison.findings.length > 0 && (
              <Section title="Findings" note={comparison.findings.length}>
                <Findings findings={comparison.findings} />
              </Section>
            )}
          </aside>
        )}
      </div>
    </main>
  );
}
