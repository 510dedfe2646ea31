import * as Radix from "radix-ui/dialog";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { isNotFound } from "#web/api/call.ts";
import { readTestRules } from "#web/api/test-rules.ts";
import { IconButton } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { useUrlParams } from "#web/ui/urls/use-url-params.ts";
import { useFocusReturn } from "#web/ui/use-focus-return.ts";
import { useMedia } from "#web/ui/use-media.ts";
import { TriggerPane } from "./alerts-and-triggers/trigger-pane.tsx";
import { SidePanel } from "./changes-and-reasons/side-panel.tsx";
import { ExecutionControls, isPrevious } from "./execution-controls.tsx";
import { ExecutionStrip } from "./execution-navigation/execution-strip.tsx";
import { useStepping } from "./execution-navigation/use-stepping.ts";
import { numberOf, splitRegions } from "./image/regions.ts";
import { KeyHelp } from "./keyboard-shortcuts/key-help.tsx";
import { type Command, useKeys } from "./keyboard-shortcuts/keys.ts";
import { compact, stage, stageAndPanel, stageColumn } from "./layout.ts";
import { type Detail, type Job, useComparison, useExecution, useViewedJob } from "./queries.ts";
import { Note, Stage } from "./stage.tsx";
import { ViewerToolbar } from "./toolbar.tsx";
import { useViewState } from "./url-state/use-view-state.ts";
import { comparedIdOf, inOrder, viewerParts } from "./url-state/view-state.ts";

type ViewerProps = { jobId: string; executionId: string; onShown: (isShown: boolean) => void };

/** One execution in full screen: its capture, and what changed. Its whole state is in the URL. */
export function Viewer({ jobId, executionId, onShown }: ViewerProps) {
  const [, change] = useUrlParams();
  const close = () => change(Object.fromEntries(viewerParts.map((part) => [part, null])), true);
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    onShown(true);
    return () => onShown(false);
  }, [onShown]);
  const focusReturn = useFocusReturn();
  const { data: detail, error, refetch, isPlaceholderData } = useExecution(jobId, executionId, true);
  const job = useViewedJob(jobId);
  const gone = isNotFound(job.error) ? "job" : isNotFound(error) ? "execution" : null;
  return (
    <Radix.Root open onOpenChange={(open) => !open && close()}>
      <Radix.Portal>
        <Radix.Content
          ref={content}
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => {
            // In the search field, Escape ends the search, and open options close, instead of the viewer.
            const { target } = event;
            const isSearch = target instanceof HTMLInputElement && target.type === "search";
            if (isSearch || document.querySelector("[aria-controls=viewer-options][aria-expanded=true]"))
              event.preventDefault();
          }}
          onOpenAutoFocus={(event) => {
            focusReturn.onOpenAutoFocus();
            event.preventDefault();
            content.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            focusReturn.onCloseAutoFocus(event);
            // Focus the row of the execution that was shown last, if it is rendered.
            document
              .querySelector<HTMLElement>(`ul[aria-label=Executions] a[href*="execution=${executionId}"]`)
              ?.focus();
          }}
          className="fixed inset-0 z-30 flex animate-fade flex-col bg-canvas text-base outline-none"
        >
          {detail && !gone ? (
            <ExecutionView detail={detail} job={job.data} isLate={isPlaceholderData} onClose={close} />
          ) : (
            <>
              <Head title="Execution" onClose={close} />
              {gone ? (
                <Empty
                  icon="clock"
                  title={`This ${gone} is no longer here`}
                  action={gone === "job" ? "See the jobs" : "Back to the job"}
                  onAction={close}
                  className="flex-1 content-center"
                >
                  {gone === "job"
                    ? "It was deleted, along with its executions."
                    : "A plan keeps its history for a time; older executions are removed."}
                </Empty>
              ) : error ? (
                <Failed
                  title="We couldn’t load this execution"
                  action="Try again"
                  onAction={() => void refetch()}
                  className="flex-1 content-center"
                >
                  {error.message || "We couldn’t reach the server."}
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
    <header className="flex flex-wrap items-center gap-x-3 gap-y-2 max-sm:gap-x-2 border-b border-line bg-surface px-3 py-2">
      <IconButton icon="chevronLeft" label="Close the viewer" onClick={onClose} />
      <Radix.Title className="max-w-max flex-[1_1_6rem] truncate text-base font-semibold" title={title}>
        {title}
      </Radix.Title>
      {children}
    </header>
  );
}

type ExecutionViewProps = { detail: Detail; job: Job | undefined; isLate: boolean; onClose: () => void };

function ExecutionView({ detail, job, isLate, onClose }: ExecutionViewProps) {
  const { jobId, id } = detail;
  const [search, change] = useUrlParams();
  const [showsKeys, setShowsKeys] = useState(false);
  const choice = search.get("with");
  const partnerId = comparedIdOf(choice, id, detail);
  const partner = useExecution(jobId, partnerId);
  const other = partnerId ? partner.data : undefined;
  const isCompared = other !== undefined && !other.error && !detail.error;
  const tried = search.has("trial") ? readTestRules(jobId) : undefined;
  const comparison = useComparison(jobId, isCompared ? inOrder(id, other.id) : undefined, tried);
  const isUnchanged = comparison.data?.changed === false;
  const marks = useMemo(() => splitRegions(comparison.data), [comparison.data]);
  const [first, second] = other && other.index < detail.index ? [other, detail] : [detail, other ?? detail];
  const hasImage = detail.hasImage && (!isCompared || other.hasImage);
  const look = useViewState(hasImage, marks, comparison.data !== undefined);
  const showsPanel = search.get("panel") !== "0";
  const showsTriggers = search.has("triggers");
  const { open, step } = useStepping(detail);
  // A failed execution has no toolbar, so no options either.
  const isCompact = useMedia(compact) && !detail.error;

  function run(command: Command) {
    if (look.run(command)) return;
    if (command === "previous") step(-1);
    if (command === "next") step(1);
    if (command === "compare")
      change((now) => ({ with: now.get("with") === "off" ? null : "off", at: null }), true);
    if (command === "showPrevious")
      change((now) => ({ with: isPrevious(now.get("with")) ? "next" : null, at: null }), true);
    if (command === "panel") change({ panel: showsPanel ? "0" : null }, true);
    if (command === "triggers") change({ triggers: showsTriggers ? null : "1" }, true);
    if (command === "help") setShowsKeys(true);
  }
  useKeys(run, !showsKeys && !search.has("dialog"));
  const controls = (
    <ExecutionControls
      detail={detail}
      other={other}
      first={first}
      second={second}
      isCompared={isCompared}
      choice={choice}
      showsTriggers={showsTriggers}
      showsPanel={showsPanel}
      run={run}
      change={change}
    />
  );

  return (
    <>
      <Head title={job?.name ?? "Execution"} onClose={onClose}>
        <span className="flex items-center gap-1">
          <IconButton icon="chevronLeft" label="Previous" onClick={() => run("previous")} />
          <span className="figures font-mono text-sm">#{detail.index}</span>
          <IconButton icon="chevronRight" label="Next" onClick={() => run("next")} />
        </span>
        {!isCompact && controls}
      </Head>
      {!detail.error && (
        <ViewerToolbar
          tools={look}
          hasImage={hasImage}
          isCompared={isCompared}
          isUnchanged={isUnchanged}
          marks={marks}
          run={run}
          more={isCompact && controls}
        />
      )}
      <div className={stageAndPanel}>
        <div
          aria-busy={isLate}
          className={cx(stageColumn, "transition-opacity delay-150", isLate && "opacity-50")}
        >
          <Notes
            isTrial={tried !== undefined}
            isPartnerGone={Boolean(choice) && isNotFound(partner.error)}
            isComparisonLost={comparison.isError}
            onRetry={() => void comparison.refetch()}
            change={change}
          />
          <div className={stage}>
            <Stage
              detail={detail}
              other={other}
              first={first}
              second={second}
              isCompared={isCompared}
              isWaiting={partner.isLoading}
              marks={comparison.isLoading ? undefined : marks}
              sights={comparison.data?.sights}
              look={look}
            />
          </div>
          {showsTriggers && <TriggerPane detail={detail} job={job} onClose={() => run("triggers")} />}
        </div>
        {showsPanel && (
          <SidePanel
            detail={detail}
            job={job}
            other={isCompared ? other : undefined}
            comparison={comparison.data}
            tried={tried}
            region={look.look.show === "image" ? numberOf(marks, look.look.at) : undefined}
            onRegion={(region) => look.showRegion(marks.places[region] ?? 0)}
            steps={look.steps}
            onRules={() => change({ dialog: "settings" })}
          />
        )}
      </div>
      <ExecutionStrip jobId={jobId} current={id} other={other?.id} onOpen={open} />
      {showsKeys && <KeyHelp onClose={() => setShowsKeys(false)} />}
    </>
  );
}

type NotesProps = {
  isTrial: boolean;
  isPartnerGone: boolean;
  isComparisonLost: boolean;
  onRetry: () => void;
  change: ReturnType<typeof useUrlParams>[1];
};

/** What the user should know about the comparison that is shown. */
function Notes({ isTrial, isPartnerGone, isComparisonLost, onRetry, change }: NotesProps) {
  return (
    <>
      {isTrial && (
        <Note>
          Compared with the rules you’re testing. They aren’t saved.{" "}
          <button type="button" onClick={() => change(backToTrial)} className={link}>
            Back to the test
          </button>
          <button type="button" onClick={() => change({ trial: null }, true)} className={cx(link, "ms-3")}>
            Use the saved rules
          </button>
        </Note>
      )}
      {isPartnerGone && <Note>The execution to compare with was deleted, so this one is shown alone.</Note>}
      {isComparisonLost && (
        <Note>
          We couldn’t load the comparison, so regions aren’t marked.{" "}
          <button type="button" onClick={onRetry} className={link}>
            Try again
          </button>
        </Note>
      )}
    </>
  );
}

const link = "font-medium underline underline-offset-2";
const backToTrial = { ...Object.fromEntries(viewerParts.map((part) => [part, null])), dialog: "try" };
