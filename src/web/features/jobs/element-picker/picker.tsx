import { useQuery } from "@tanstack/react-query";
import * as Radix from "radix-ui/dialog";
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from "react";
import { Button, IconButton } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { useFocusReturn } from "#web/ui/use-focus-return.ts";
import { useWidth } from "#web/ui/use-width.ts";
import { describeCoverage } from "../rules/describe-coverage.ts";
import type { Element, PickablePage } from "../rules/source.ts";
import { AlertWhen } from "./alert-when.tsx";
import { elementAt, narrowerElement, siblingOf, widerElement } from "./find-element.ts";
import type { PickedAlert } from "./picked-changes.ts";

type Actions = {
  onWatch: (selector: string) => void;
  onIgnore: (selector: string) => void;
  /** Absent while the job's settings have unsaved changes, and for a job that doesn't exist yet. */
  onFollow?: ((selector: string, text: string) => void) | undefined;
  onAlert?: ((selector: string, text: string, alert: PickedAlert) => void) | undefined;
  isBusy?: boolean;
};
type PickerProps = Actions & { ground: PickablePage; onClose: () => void };

/** The screenshot of a page, on which elements can be picked. The page itself is never shown, only its screenshot. */
export function Picker({ ground, onClose, ...actions }: PickerProps) {
  const focusReturn = useFocusReturn();
  const { data, error, refetch } = useQuery({
    queryKey: ["elements", ground.key],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) => ground.elements(signal),
  });
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            focusReturn.onOpenAutoFocus();
            event.preventDefault();
          }}
          onCloseAutoFocus={focusReturn.onCloseAutoFocus}
          className="fixed inset-0 z-50 flex animate-fade flex-col bg-canvas text-base outline-none"
        >
          <header className="flex items-center gap-3 border-b border-line bg-surface px-3 py-2">
            <IconButton icon="chevronLeft" label="Cancel picking" onClick={onClose} />
            <Radix.Title className="font-semibold whitespace-nowrap">Pick on the page</Radix.Title>
            <p className="ms-auto truncate text-sm text-muted max-md:hidden">
              Click a part of the page. ↑ larger, ↓ smaller, ← → next to it, Enter selects.
            </p>
          </header>
          {error ? (
            <Failed
              title="We couldn’t load the page"
              action="Try again"
              onAction={() => void refetch()}
              className="flex-1 content-center"
            >
              {error.message || "We couldn’t reach the server."}
            </Failed>
          ) : !data ? (
            <Skeleton className="m-4 flex-1" />
          ) : data.elements && data.elements.length > 0 ? (
            <Ready ground={ground} elements={data.elements} actions={actions} />
          ) : (
            <Empty icon="image" title="Nothing to pick" className="flex-1 content-center">
              This older capture doesn’t record where elements are. New captures do.
            </Empty>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type ReadyProps = { ground: PickablePage; elements: Element[]; actions: Actions };

function Ready({ ground, elements, actions }: ReadyProps) {
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const availableWidth = useWidth(frame);
  const [size, setSize] = useState<{ width: number; height: number } | "failed">();
  const [pointed, setPointed] = useState<number>();
  const [current, setCurrent] = useState<number>();
  const [chosen, setChosen] = useState<number>();
  useEffect(() => frame?.focus(), [frame]);
  const outline = useRef<HTMLDivElement>(null);
  const width = size && size !== "failed" ? size.width : 0;
  const scale = width > 0 && availableWidth > 0 ? Math.min(1, (availableWidth - 24) / width) : 1;
  const picked = useQuery({
    queryKey: ["pick", ground.key, chosen],
    enabled: chosen !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) => ground.pick(elements[chosen ?? 0]?.[0] ?? 0, signal),
  });

  function elementUnder(event: MouseEvent): number | undefined {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return elementAt(elements, (event.clientX - left) / scale, (event.clientY - top) / scale);
  }
  function pointAt(at: number | undefined) {
    setPointed(at);
    setCurrent(at);
  }
  function handleKey(event: KeyboardEvent) {
    const from = current ?? 0;
    const next: Record<string, () => number> = {
      ArrowUp: () => (current === undefined ? 0 : widerElement(elements, from)),
      ArrowDown: () => (current === undefined ? 0 : narrowerElement(elements, from, pointed)),
      ArrowLeft: () => siblingOf(elements, from, -1),
      ArrowRight: () => siblingOf(elements, from, 1),
    };
    const move = next[event.key];
    if (move) {
      event.preventDefault();
      const at = move();
      setCurrent(at);
      if (chosen !== undefined) setChosen(at);
      requestAnimationFrame(() => outline.current?.scrollIntoView({ block: "nearest", inline: "nearest" }));
    } else if (event.key === "Enter" && current !== undefined && event.target === event.currentTarget) {
      event.preventDefault();
      setChosen(current);
    }
  }

  const shown = elements[chosen ?? current ?? -1];
  return (
    <>
      {/* Keys move an outline over the screenshot, as in a drawing program. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={setFrame}
        role="application"
        aria-label="The page"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onKeyDown={handleKey}
        className="min-h-0 flex-1 overflow-auto bg-sunken p-3 -outline-offset-2"
      >
        {size === "failed" ? (
          <Failed title="We couldn’t load the screenshot">The capture itself is still stored.</Failed>
        ) : (
          // The element around it handles the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
          <div
            className="relative mx-auto w-max cursor-crosshair bg-white"
            onMouseMove={(event) => chosen === undefined && pointAt(elementUnder(event))}
            onMouseLeave={() => chosen === undefined && pointAt(undefined)}
            onClick={(event) => {
              const at = elementUnder(event);
              pointAt(at);
              setChosen(at);
            }}
          >
            <img
              src={ground.image}
              alt="The page as it was captured"
              draggable={false}
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                setSize({ width: naturalWidth, height: naturalHeight })
              }
              onError={() => setSize("failed")}
              className="max-w-none select-none"
              style={width > 0 ? { width: width * scale } : undefined}
            />
            {shown && width > 0 && (
              <div
                ref={outline}
                data-outline={shown[2]}
                className={cx(
                  "pointer-events-none absolute border-2 border-accent-text",
                  chosen === undefined ? "bg-[oklch(0.72_0.11_200/0.12)]" : "bg-[oklch(0.72_0.11_200/0.28)]",
                )}
                style={{
                  left: shown[3] * scale - 1,
                  top: shown[4] * scale - 1,
                  width: shown[5] * scale + 2,
                  height: shown[6] * scale + 2,
                }}
              />
            )}
          </div>
        )}
      </div>
      <PickerFooter
        shown={shown}
        isChosen={chosen !== undefined}
        picked={picked}
        value={usePickedValue(ground, actions.onFollow ? picked.data?.selector : undefined)}
        actions={actions}
        onPickAnother={() => setChosen(undefined)}
      />
    </>
  );
}

const longestText = 200;

/** What the chosen part shows, and whether that is a number; undefined if it's no short text. */
function usePickedValue(ground: PickablePage, selector: string | undefined): PickedValue | undefined {
  const { data } = useQuery({
    queryKey: ["picked-value", ground.key, selector],
    enabled: selector !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) => ground.read(selector ?? "", signal),
  });
  const text = data && "text" in data ? data.text : null;
  if (!data || !text || text.length > longestText) return undefined;
  return { text, isNumber: "number" in data && data.number !== null };
}

type PickedValue = { text: string; isNumber: boolean };
type PickerFooterProps = {
  shown: Element | undefined;
  value: PickedValue | undefined;
  actions: Actions;
  isChosen: boolean;
  picked: { data?: Awaited<ReturnType<PickablePage["pick"]>>; error: Error | null };
  onPickAnother: () => void;
};

/** Describes the element that the pointer is on, then offers a rule for the chosen one. */
function PickerFooter({ shown, value, isChosen, picked, actions, onPickAnother }: PickerFooterProps) {
  const { data, error } = picked;
  const { onWatch, onIgnore, onFollow, onAlert, isBusy = false } = actions;
  return (
    <footer
      aria-live="polite"
      className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-surface px-3 py-2 text-sm"
    >
      {!isChosen ? (
        <span className="text-muted">
          {shown ? `${shown[2]}, ${shown[5]} × ${shown[6]}` : "Click the part you want to watch or ignore."}
        </span>
      ) : error ? (
        <span role="alert" className="text-removed">
          {error.message || "We couldn’t reach the server."}
        </span>
      ) : data ? (
        <>
          <span className="grid min-w-0 flex-1 basis-60">
            <code className="truncate font-mono" title={data.selector}>
              {data.selector}
            </code>
            <span className={data.holds ? "text-muted" : "text-changed"}>
              {describeCoverage(data.covers)}
              {!data.holds &&
                "; it depends on the order of its neighbors, so it may point elsewhere when they change. Try a larger part."}
            </span>
          </span>
          <Button busy={isBusy} onClick={() => onWatch(data.selector)}>
            Watch only this
          </Button>
          <Button busy={isBusy} onClick={() => onIgnore(data.selector)}>
            Ignore this
          </Button>
          {value?.isNumber && onFollow && (
            <Button onClick={() => onFollow(data.selector, value.text)} title={value.text}>
              Follow this number{" "}
              <span className="max-w-28 truncate font-normal text-muted">({value.text})</span>
            </Button>
          )}
          {value && onAlert && (
            <AlertWhen
              key={data.selector}
              {...value}
              onAlert={(alert) => onAlert(data.selector, value.text, alert)}
            />
          )}
          <Button look="ghost" onClick={onPickAnother}>
            Pick another
          </Button>
        </>
      ) : (
        <span className="text-muted">Finding a short selector</span>
      )}
    </footer>
  );
}
