import { useQuery } from "@tanstack/react-query";
import * as Radix from "radix-ui/dialog";
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from "react";
import { Button, IconButton } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Empty, Failed, Skeleton } from "#web/ui/states.tsx";
import { useFocusReturn } from "#web/ui/use-focus-return.ts";
import { useWidth } from "#web/ui/use-width.ts";
import { coverageWords } from "./coverage-words.ts";
import { besideOf, elementAt, narrowerThan, widerThan } from "./find-element.ts";
import type { Element, Ground } from "./source.ts";

type PickerProps = {
  ground: Ground;
  onWatch: (selector: string) => void;
  onIgnore: (selector: string) => void;
  onClose: () => void;
};

/** The picture of a page on which elements can be pointed at. The page itself is never shown, only its picture. */
export function Picker({ ground, onWatch, onIgnore, onClose }: PickerProps) {
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
            <IconButton icon="chevronLeft" label="Back without a rule" onClick={onClose} />
            <Radix.Title className="font-semibold">Pick on the page</Radix.Title>
            <p className="ms-auto truncate text-sm text-muted max-sm:hidden">
              Click a part. ↑ wider, ↓ narrower, ← → beside it, Enter picks.
            </p>
          </header>
          {error ? (
            <Failed
              title="The page could not be loaded"
              action="Try again"
              onAction={() => void refetch()}
              className="flex-1 content-center"
            >
              {error.message || "The server could not be reached."}
            </Failed>
          ) : !data ? (
            <Skeleton className="m-4 flex-1" />
          ) : data.elements && data.elements.length > 0 ? (
            <Ready ground={ground} elements={data.elements} onWatch={onWatch} onIgnore={onIgnore} />
          ) : (
            <Empty icon="image" title="Nothing to point at" className="flex-1 content-center">
              This capture does not say where things stand on its picture. Web pages captured from now on do.
            </Empty>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type ReadyProps = Pick<PickerProps, "ground" | "onWatch" | "onIgnore"> & { elements: Element[] };

function Ready({ ground, elements, onWatch, onIgnore }: ReadyProps) {
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const room = useWidth(frame);
  const [size, setSize] = useState<{ width: number; height: number } | "failed">();
  const [pointed, setPointed] = useState<number>();
  const [current, setCurrent] = useState<number>();
  const [chosen, setChosen] = useState<number>();
  useEffect(() => frame?.focus(), [frame]);
  const outline = useRef<HTMLDivElement>(null);
  const width = size && size !== "failed" ? size.width : 0;
  const scale = width > 0 && room > 0 ? Math.min(1, (room - 24) / width) : 1;
  const picked = useQuery({
    queryKey: ["pick", ground.key, chosen],
    enabled: chosen !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) => ground.pick(elements[chosen ?? 0]?.[0] ?? 0, signal),
  });

  function under(event: MouseEvent): number | undefined {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return elementAt(elements, (event.clientX - left) / scale, (event.clientY - top) / scale);
  }
  function point(at: number | undefined) {
    setPointed(at);
    setCurrent(at);
  }
  function press(event: KeyboardEvent) {
    const from = current ?? 0;
    const next: Record<string, () => number> = {
      ArrowUp: () => (current === undefined ? 0 : widerThan(elements, from)),
      ArrowDown: () => (current === undefined ? 0 : narrowerThan(elements, from, pointed)),
      ArrowLeft: () => besideOf(elements, from, -1),
      ArrowRight: () => besideOf(elements, from, 1),
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
      {/* The keys move an outline over the picture, as in a drawing. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={setFrame}
        role="application"
        aria-label="The page"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onKeyDown={press}
        className="min-h-0 flex-1 overflow-auto bg-sunken p-3 -outline-offset-2"
      >
        {size === "failed" ? (
          <Failed title="The screenshot could not be loaded">The capture itself is kept.</Failed>
        ) : (
          // The keys are heard around it.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
          <div
            className="relative mx-auto w-max cursor-crosshair bg-white"
            onMouseMove={(event) => chosen === undefined && point(under(event))}
            onMouseLeave={() => chosen === undefined && point(undefined)}
            onClick={(event) => {
              const at = under(event);
              point(at);
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
      <footer
        aria-live="polite"
        className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-surface px-3 py-2 text-sm"
      >
        {chosen === undefined ? (
          <span className="text-muted">
            {shown
              ? `${shown[2]}, ${shown[5]} × ${shown[6]}`
              : "Point at the part that matters, or at the one that does not."}
          </span>
        ) : picked.error ? (
          <span role="alert" className="text-removed">
            {picked.error.message || "The server could not be reached."}
          </span>
        ) : picked.data ? (
          <>
            <span className="grid min-w-0 flex-1 basis-60">
              <code className="truncate font-mono" title={picked.data.selector}>
                {picked.data.selector}
              </code>
              <span className={picked.data.holds ? "text-muted" : "text-changed"}>
                {coverageWords(picked.data.covers)}
                {!picked.data.holds &&
                  "; it counts places, so it may slip when others come or go. Try a wider one."}
              </span>
            </span>
            <Button onClick={() => onWatch(picked.data.selector)}>Watch only this</Button>
            <Button onClick={() => onIgnore(picked.data.selector)}>Ignore this</Button>
            <Button look="ghost" onClick={() => setChosen(undefined)}>
              Pick another
            </Button>
          </>
        ) : (
          <span className="text-muted">Looking for a short name of it</span>
        )}
      </footer>
    </>
  );
}
