import { type Ref, useRef, useState } from "react";
import type { PageStep } from "#contract/page-steps.ts";
import { describeStep } from "#page-steps/describe-step.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { PageDialog } from "#web/ui/dialog.tsx";
import type { NamedValue } from "#web/ui/named-value.ts";
import { LivePage, type Pointing } from "./live-page.tsx";
import { LiveText } from "./live-text.tsx";
import { type ConnectLiveView, useLiveView } from "./use-live-view.ts";

export type LiveViewDialogProps = {
  title: string;
  description: string;
  connect: ConnectLiveView;
  /** Takes what was recorded; without it, nothing is. */
  onSteps?: (steps: PageStep[], secrets: NamedValue[]) => void;
  /** Takes the session of the browser. */
  onKept?: (liveViewId: string, message: string) => void;
  /** Takes what the user points at as the proof. */
  onProof?: (proof: { text: string; selector: string }) => void;
  onClose: () => void;
};

/** A browser of ours, shown live: to record steps, to sign in by hand, and to point at the proof. */
export function LiveViewDialog({
  title,
  description,
  connect,
  onSteps,
  onKept,
  onProof,
  onClose,
}: LiveViewDialogProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const tools = useRef<HTMLDivElement>(null);
  const [pointing, setPointing] = useState<Pointing | null>(null);
  const live = useLiveView(connect, canvas, {
    onRecorded: ({ steps, secrets }) => {
      onSteps?.(steps, secrets);
      onClose();
    },
    onKept: (liveViewId, message) => {
      onKept?.(liveViewId, message);
      onClose();
    },
  });
  const { phase, url, message, steps, send } = live;
  const isOpen = phase === "open";
  return (
    <PageDialog
      title={title}
      description={description}
      // Escape on the page gives the keyboard back first.
      onClose={() => {
        if (document.activeElement === canvas.current && isOpen)
          tools.current?.querySelector<HTMLElement>("button")?.focus();
        else onClose();
      }}
      nav={
        onSteps ? (
          <RecordedSteps steps={steps} isOpen={isOpen} onRemove={(step) => send({ type: "remove", step })} />
        ) : (
          <p className="text-sm text-muted">
            No steps are recorded. The session is kept once the page shows the proof.
          </p>
        )
      }
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {onKept && (
            <Button
              look={onSteps ? "secondary" : "primary"}
              disabled={!isOpen}
              onClick={() => send({ type: "keep" })}
            >
              {onSteps ? "Keep the session only" : "Keep the session"}
            </Button>
          )}
          {onSteps && (
            <Button
              look="primary"
              disabled={!isOpen || steps.length === 0}
              onClick={() => send({ type: "finish" })}
            >
              Use these steps
            </Button>
          )}
        </>
      }
    >
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
        <Toolbar
          tools={tools}
          url={url}
          isOpen={isOpen}
          onBack={() => send({ type: "back" })}
          pointing={pointing}
          points={[...(onSteps ? (["hover"] as const) : []), ...(onProof ? (["point"] as const) : [])]}
          onPoint={(at) => setPointing(at === pointing ? null : at)}
        />
        <Status phase={phase} message={message} pointing={pointing} />
        {phase === "ended" && (
          <Button size="sm" className="justify-self-start" icon="refresh" onClick={live.openAgain}>
            Open it again
          </Button>
        )}
        {live.proof && onProof && (
          <FoundProof
            proof={live.proof}
            onUse={(proof) => {
              onProof(proof);
              live.dismissProof();
            }}
          />
        )}
        <Options
          options={live.options}
          onChoose={(value) => {
            send({ type: "choose", value });
            live.dismissOptions();
          }}
        />
        <LivePage
          canvas={canvas}
          isOpen={isOpen}
          pointing={pointing}
          send={send}
          onPointed={() => setPointing(null)}
        />
        <p id="live-view-keys" className="text-sm text-muted" hidden={phase === "ended"}>
          Your mouse and keyboard go to this page. Press Escape to leave it.
        </p>
        <LiveText isOpen={isOpen} send={send} />
      </div>
    </PageDialog>
  );
}

const pointings: Record<Pointing, { label: string; hint: string }> = {
  hover: {
    label: "Record a hover",
    hint: "Click what the pointer should rest on, such as a menu that opens then.",
  },
  point: { label: "Point at the proof", hint: "Click what the page shows only when you’re signed in." },
};

type StatusProps = {
  phase: "starting" | "open" | "ended";
  message: string;
  pointing: Pointing | null;
};

function Status({ phase, message, pointing }: StatusProps) {
  const isCalm = phase === "starting" || pointing !== null;
  return (
    <p
      role="status"
      className={cx("text-sm wrap-anywhere empty:hidden", isCalm ? "text-muted" : "text-changed")}
    >
      {phase === "starting" && "Starting a browser of ours"}
      {phase !== "starting" && (pointing ? pointings[pointing].hint : message)}
    </p>
  );
}

type ToolbarProps = {
  tools: Ref<HTMLDivElement>;
  url: string;
  isOpen: boolean;
  pointing: Pointing | null;
  points: Pointing[];
  onBack: () => void;
  onPoint: (at: Pointing) => void;
};

function Toolbar({ tools, url, isOpen, pointing, points, onBack, onPoint }: ToolbarProps) {
  return (
    <div ref={tools} className="flex min-w-0 flex-wrap items-center gap-2">
      <IconButton icon="chevronLeft" label="Back to the page before" disabled={!isOpen} onClick={onBack} />
      <span className="min-w-0 flex-1 basis-40 truncate font-mono text-sm text-muted">{url}</span>
      {points.map((at) => (
        <Button
          key={at}
          size="sm"
          icon="pick"
          aria-pressed={at === pointing}
          disabled={!isOpen}
          onClick={() => onPoint(at)}
        >
          {pointings[at].label}
        </Button>
      ))}
    </div>
  );
}

type RecordedProps = {
  steps: { id: number; step: PageStep }[];
  isOpen: boolean;
  onRemove: (id: number) => void;
};

function RecordedSteps({ steps, isOpen, onRemove }: RecordedProps) {
  return (
    <section aria-label="Recorded steps" className="grid min-w-0 gap-1 max-md:max-h-32">
      <h3 className="text-sm font-medium">Recorded steps</h3>
      {steps.length === 0 && (
        <p className="text-sm text-muted">Click, type and scroll in the page: what you do is listed here.</p>
      )}
      <ol className="grid min-w-0 gap-1">
        {steps.map(({ id, step }, at) => (
          <li key={id} className="flex min-w-0 items-start gap-1 text-sm">
            <span className="min-w-0 flex-1 py-1 wrap-anywhere">
              {at + 1}. {describeStep(step)}
            </span>
            <IconButton
              icon="trash"
              label={`Remove step ${at + 1}`}
              disabled={!isOpen}
              onClick={() => onRemove(id)}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

type FoundProofProps = {
  proof: { text: string | null; selector: string | null };
  onUse: (proof: { text: string; selector: string }) => void;
};

function FoundProof({ proof: { text, selector }, onUse }: FoundProofProps) {
  if (!text && !selector) return <p className="text-sm">There is nothing to point at here.</p>;
  return (
    <div className="flex min-w-0 flex-wrap gap-2">
      {text && (
        <Button size="sm" onClick={() => onUse({ text, selector: "" })}>
          Use the text “{text}”
        </Button>
      )}
      {selector && (
        <Button size="sm" className="max-w-full" onClick={() => onUse({ text: "", selector })}>
          Use the element <code className="truncate font-mono text-xs">{selector}</code>
        </Button>
      )}
    </div>
  );
}

type OptionsProps = {
  options: { value: string; label: string; isChosen: boolean }[];
  onChoose: (value: string) => void;
};

/** The entries of a list on the page, which our browser can't show. */
function Options({ options, onChoose }: OptionsProps) {
  if (options.length === 0) return null;
  return (
    <fieldset className="grid min-w-0 gap-1 rounded-control border border-line p-3">
      <legend className="px-1 text-sm font-medium">Choose an entry of the list</legend>
      <div className="flex max-h-40 flex-wrap gap-1 overflow-y-auto">
        {options.map(({ value, label, isChosen }, at) => (
          <Button key={at} size="sm" aria-pressed={isChosen} onClick={() => onChoose(value)}>
            {label || value || "(empty)"}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}
