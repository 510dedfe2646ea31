import * as Radix from "radix-ui/dialog";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { useAddress } from "#web/ui/use-address.ts";
import { CapturePane } from "./capture-pane.tsx";
import { KeyHelp } from "./key-help.tsx";
import { type Command, useKeys } from "./keys.ts";
import { Partner } from "./partner.tsx";
import {
  type Comparison,
  captureOf,
  type Detail,
  useComparison,
  useEnds,
  useExecution,
  useViewedJob,
} from "./queries.ts";
import { Rail } from "./rail.tsx";
import { SidePanel } from "./side-panel.tsx";
import { LookTools, Toggle } from "./toolbar.tsx";
import { TriggerPane } from "./trigger-pane.tsx";
import { useLook } from "./use-look.ts";
import { inOrder, partnerOf, viewerParts } from "./view-state.ts";

type ViewerProps = { jobId: string; executionId: string; onShown: (isShown: boolean) => void };

/** One execution, full screen: what it saw, and what changed. Its whole state is in the address. */
export function Viewer({ jobId, executionId, onShown }: ViewerProps) {
  const [, change] = useAddress();
  const close = () => change(Object.fromEntries(viewerParts.map((part) => [part, null])));
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    onShown(true);
    return () => onShown(false);
  }, [onShown]);
  const { data: detail, error, refetch } = useExecution(jobId, executionId, true);
  const isGone = error && "status" in error && error.status === 404;
  return (
    <Radix.Root open onOpenChange={(open) => !open && close()}>
      <Radix.Portal>
        <Radix.Content
          ref={content}
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => {
            // In the search, Escape ends the search.
            if (event.target instanceof HTMLInputElement && event.target.type === "search")
              event.preventDefault();
          }}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            content.current?.focus();
          }}
          className="fixed inset-0 z-30 flex animate-fade flex-col bg-canvas text-base outline-none"
        >
          {detail ? (
            <Shown detail={detail} onClose={close} />
          ) : (
            <>
              <Head title="Execution" onClose={close} />
              {isGone ? (
                <Empty
                  icon="clock"
                  title="This execution is no longer here"
                  action="Back to the job"
                  onAction={close}
                  className="flex-1 content-center"
                >
                  A plan keeps its history for a time; older executions are removed.
                </Empty>
              ) : error ? (
                <Failed
                  title="This execution could not be loaded"
                  action="Try again"
                  onAction={() => void refetch()}
                  className="flex-1 content-center"
                >
                  {error.message || "The server could not be reached."}
                </Failed>
              ) : (
                <Skeleton className="m-4 flex-1" />
              )}
            </>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type HeadProps = { title: string; onClose: () => void; children?: ReactNode };

function Head({ title, onClose, children }: HeadProps) {
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-surface px-3 py-2">
      <IconButton icon="chevronLeft" label="Close the viewer" onClick={onClose} />
      <Radix.Title className="max-w-max flex-[1_1_6rem] truncate text-base font-semibold" title={title}>
        {title}
      </Radix.Title>
      {children}
    </header>
  );
}

function Shown({ detail, onClose }: { detail: Detail; onClose: () => void }) {
  const { jobId, id } = detail;
  const [search, change] = useAddress();
  const [asksKeys, setAsksKeys] = useState(false);
  const job = useViewedJob(jobId).data;
  const choice = search.get("with");
  const partnerId = partnerOf(choice, id, detail);
  const partner = useExecution(jobId, partnerId);
  const other = partnerId ? partner.data : undefined;
  const hasBoth = other !== undefined && !other.error && !detail.error;
  const comparison = useComparison(jobId, hasBoth ? inOrder(id, other.id) : undefined);
  const regions = comparison.data?.regions ?? noRegions;
  const [first, second] = other && other.index < detail.index ? [other, detail] : [detail, other ?? detail];
  const isCompared = hasBoth;
  const hasImage = detail.hasImage && (!isCompared || other.hasImage);
  const look = useLook(hasImage, regions.length);
  const ends = useEnds(jobId, detail.previousId === null || detail.nextId === null);
  const showsPanel = search.get("panel") !== "0";
  const showsTriggers = search.has("triggers");
  const open = (executionId: string | null | undefined) => {
    if (!executionId || executionId === id) return;
    const isChosen = choice !== null && !["previous", "next", "off"].includes(choice);
    change({ execution: executionId, at: null, with: isChosen ? null : choice }, true);
  };
  const wrapTo = async (end: "firstId" | "lastId") => open((ends.data ?? (await ends.refetch()).data)?.[end]);
  const isPreviousShown = choice !== "next";

  function run(command: Command) {
    if (look.run(command)) return;
    if (command === "previous") void (detail.previousId ? open(detail.previousId) : wrapTo("lastId"));
    if (command === "next") void (detail.nextId ? open(detail.nextId) : wrapTo("firstId"));
    if (command === "compare") change({ with: choice === "off" ? null : "off", at: null }, true);
    if (command === "showPrevious") change({ with: isPreviousShown ? "next" : null, at: null }, true);
    if (command === "panel") change({ panel: showsPanel ? "0" : null }, true);
    if (command === "triggers") change({ triggers: showsTriggers ? null : "1" }, true);
    if (command === "help") setAsksKeys(true);
  }
  useKeys(run, !asksKeys && !search.has("dialog"));

  return (
    <>
      <Head title={job?.name ?? "Execution"} onClose={onClose}>
        <span className="flex items-center gap-1">
          <IconButton icon="chevronLeft" label="Previous" onClick={() => run("previous")} />
          <span className="figures font-mono text-sm">#{detail.index}</span>
          <IconButton icon="chevronRight" label="Next" onClick={() => run("next")} />
        </span>
        <Partner
          detail={detail}
          other={other}
          isOff={choice === "off"}
          isPreviousShown={isPreviousShown}
          run={run}
          onChoose={(chosen) => change({ with: chosen, at: null }, true)}
        />
        <span className="ms-auto flex items-center gap-1">
          <Toggle
            pressed={showsTriggers}
            onClick={() => run("triggers")}
            label="Trigger HTTP"
            icon="send"
            folds
          />
          <Button
            size="sm"
            icon="share"
            disabled={Boolean(detail.error)}
            onClick={() =>
              change({ dialog: "share", share: second.id, from: isCompared ? first.id : null }, true)
            }
          >
            <span className="max-md:sr-only">Share Result</span>
          </Button>
          <IconButton
            icon="panel"
            label="Side panel"
            onClick={() => run("panel")}
            aria-pressed={showsPanel}
          />
          <IconButton icon="info" label="Keys (?)" onClick={() => run("help")} />
        </span>
      </Head>
      {!detail.error && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-surface px-3 py-1.5">
          <LookTools
            look={look.look}
            hasImage={hasImage}
            isCompared={isCompared}
            count={look.count}
            run={run}
            onMode={look.setMode}
            onFind={look.setFind}
            findFocus={look.findFocus}
          />
        </div>
      )}
      <div className="flex min-h-0 flex-1 max-md:flex-col">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <Stage
            detail={detail}
            other={other}
            first={first}
            second={second}
            isCompared={isCompared}
            isWaiting={partner.isLoading}
            regions={comparison.isLoading ? undefined : regions}
            look={look}
          />
          {showsTriggers && <TriggerPane detail={detail} job={job} onClose={() => run("triggers")} />}
        </div>
        {showsPanel && (
          <SidePanel
            detail={detail}
            job={job}
            other={isCompared ? other : undefined}
            comparison={comparison.data}
            onRules={() => change({ dialog: "settings" })}
          />
        )}
      </div>
      <Rail jobId={jobId} current={id} other={other?.id} onOpen={open} />
      {asksKeys && <KeyHelp onClose={() => setAsksKeys(false)} />}
    </>
  );
}

const noRegions: Comparison["regions"] = [];

type StageProps = {
  detail: Detail;
  other: Detail | undefined;
  first: Detail;
  second: Detail;
  isCompared: boolean;
  isWaiting: boolean;
  regions: Comparison["regions"] | undefined;
  look: ReturnType<typeof useLook>;
};

function Stage({ detail, other, first, second, isCompared, isWaiting, regions, look }: StageProps) {
  const failed = detail.error ? detail : other?.error ? other : undefined;
  if (detail.error) {
    return (
      <Failed title={`#${detail.index} has no capture`} className="flex-1 content-center">
        {failed?.error} Step to another execution with the arrow keys.
      </Failed>
    );
  }
  if (isWaiting) return <Skeleton className="m-4 flex-1" />;
  return (
    <>
      {failed && (
        <p className="border-b border-line bg-changed-bg px-4 py-1.5 text-sm text-changed">
          #{failed.index} failed and has no capture, so this one is shown alone.
        </p>
      )}
      <CapturePane
        look={look.look}
        before={isCompared ? captureOf(first) : null}
        after={captureOf(isCompared ? second : detail)}
        regions={regions}
        steps={look.steps}
        onCounted={look.onCounted}
      />
    </>
  );
}
