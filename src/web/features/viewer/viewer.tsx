import * as Radix from "radix-ui/dialog";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { isMissing } from "#web/api/call.ts";
import { readTrialRules } from "#web/api/trial-rules.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { useAddress } from "#web/ui/use-address.ts";
import { useFocusReturn } from "#web/ui/use-focus-return.ts";
import { KeyHelp } from "./key-help.tsx";
import { type Command, useKeys } from "./keys.ts";
import { stage, stageAndPanel, stageColumn } from "./layout.ts";
import { Partner } from "./partner.tsx";
import { type Detail, type Job, useComparison, useExecution, useViewedJob } from "./queries.ts";
import { Rail } from "./rail.tsx";
import { marksOf, numberOf } from "./regions.ts";
import { SidePanel } from "./side-panel.tsx";
import { Note, Stage } from "./stage.tsx";
import { LookTools, Toggle } from "./toolbar.tsx";
import { TriggerPane } from "./trigger-pane.tsx";
import { useLook } from "./use-look.ts";
import { useStepping } from "./use-stepping.ts";
import { inOrder, partnerOf, viewerParts } from "./view-state.ts";

type ViewerProps = { jobId: string; executionId: string; onShown: (isShown: boolean) => void };

/** One execution, full screen: what it saw, and what changed. Its whole state is in the address. */
export function Viewer({ jobId, executionId, onShown }: ViewerProps) {
  const [, change] = useAddress();
  const close = () => change(Object.fromEntries(viewerParts.map((part) => [part, null])), true);
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    onShown(true);
    return () => onShown(false);
  }, [onShown]);
  const focusReturn = useFocusReturn();
  const { data: detail, error, refetch, isPlaceholderData } = useExecution(jobId, executionId, true);
  const job = useViewedJob(jobId);
  const gone = isMissing(job.error) ? "job" : isMissing(error) ? "execution" : null;
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
            focusReturn.onOpenAutoFocus();
            event.preventDefault();
            content.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            focusReturn.onCloseAutoFocus(event);
            // To the row of what was last looked at, where it is in sight.
            document
              .querySelector<HTMLElement>(`ul[aria-label=Executions] a[href*="execution=${executionId}"]`)
              ?.focus();
          }}
          className="fixed inset-0 z-30 flex animate-fade flex-col bg-canvas text-base outline-none"
        >
          {detail && !gone ? (
            <Shown detail={detail} job={job.data} isLate={isPlaceholderData} onClose={close} />
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
                    ? "It was deleted, and its executions with it."
                    : "A plan keeps its history for a time; older executions are removed."}
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
    <header className="flex flex-wrap items-center gap-x-3 gap-y-2 max-sm:gap-x-2 border-b border-line bg-surface px-3 py-2">
      <IconButton icon="chevronLeft" label="Close the viewer" onClick={onClose} />
      <Radix.Title className="max-w-max flex-[1_1_6rem] truncate text-base font-semibold" title={title}>
        {title}
      </Radix.Title>
      {children}
    </header>
  );
}

const isPrevious = (choice: string | null) => choice === null || choice === "previous";

type ShownProps = { detail: Detail; job: Job | undefined; isLate: boolean; onClose: () => void };

function Shown({ detail, job, isLate, onClose }: ShownProps) {
  const { jobId, id } = detail;
  const [search, change] = useAddress();
  const [asksKeys, setAsksKeys] = useState(false);
  const choice = search.get("with");
  const partnerId = partnerOf(choice, id, detail);
  const partner = useExecution(jobId, partnerId);
  const other = partnerId ? partner.data : undefined;
  const hasBoth = other !== undefined && !other.error && !detail.error;
  const tried = search.has("trial") ? readTrialRules(jobId) : undefined;
  const comparison = useComparison(jobId, hasBoth ? inOrder(id, other.id) : undefined, tried);
  const isUnchanged = comparison.data?.changed === false;
  const marks = useMemo(() => marksOf(comparison.data), [comparison.data]);
  const [first, second] = other && other.index < detail.index ? [other, detail] : [detail, other ?? detail];
  const isCompared = hasBoth;
  const hasImage = detail.hasImage && (!isCompared || other.hasImage);
  const look = useLook(hasImage, marks, comparison.data !== undefined);
  const showsPanel = search.get("panel") !== "0";
  const showsTriggers = search.has("triggers");
  const { open, step } = useStepping(detail);
  const isPreviousShown = isPrevious(choice);

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
          placeholder={
            isPreviousShown ? "No previous one" : choice === "next" ? "No next one" : "No longer here"
          }
          run={run}
          onChoose={(chosen) => change({ with: chosen, at: null }, true)}
        />
        <span className="ms-auto flex items-center gap-1 max-sm:gap-0">
          <Toggle
            pressed={showsTriggers}
            onClick={() => run("triggers")}
            label="Trigger HTTP"
            icon="send"
            folds
          />
          <Button
            size="sm"
            icon="pick"
            disabled={!detail.hasImage}
            onClick={() => change({ dialog: "pick" })}
          >
            <span className="max-lg:sr-only">Pick on the page</span>
          </Button>
          <Button
            size="sm"
            icon="share"
            disabled={Boolean(detail.error)}
            onClick={() => change({ dialog: "share", share: second.id, from: isCompared ? first.id : null })}
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
        <LookTools
          tools={look}
          hasImage={hasImage}
          isCompared={isCompared}
          isUnchanged={isUnchanged}
          marks={marks}
          run={run}
        />
      )}
      <div className={stageAndPanel}>
        <div
          aria-busy={isLate}
          className={cx(stageColumn, "transition-opacity delay-150", isLate && "opacity-50")}
        >
          {tried && (
            <Note>
              Compared by the rules you are trying; they are not saved.{" "}
              <button type="button" onClick={() => change(backToTrial)} className={link}>
                Back to the trial
              </button>
              <button
                type="button"
                onClick={() => change({ trial: null }, true)}
                className={cx(link, "ms-3")}
              >
                By the saved rules
              </button>
            </Note>
          )}
          {choice && isMissing(partner.error) && (
            <Note>What this was to be compared with is no longer here, so it is shown alone.</Note>
          )}
          {comparison.isError && (
            <Note>
              The comparison could not be loaded, so regions are not marked.{" "}
              <button
                type="button"
                onClick={() => void comparison.refetch()}
                className="font-medium underline underline-offset-2"
              >
                Try again
              </button>
            </Note>
          )}
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
      <Rail jobId={jobId} current={id} other={other?.id} onOpen={open} />
      {asksKeys && <KeyHelp onClose={() => setAsksKeys(false)} />}
    </>
  );
}

const link = "font-medium underline underline-offset-2";
const backToTrial = { ...Object.fromEntries(viewerParts.map((part) => [part, null])), dialog: "try" };
