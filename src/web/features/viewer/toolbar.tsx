import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button, IconButton } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { Select } from "#web/ui/select.tsx";
import { useMedia } from "#web/ui/use-media.ts";
import type { ImageMode } from "./image/image-compare.tsx";
import { type Marks, regionAt } from "./image/regions.ts";
import type { Command } from "./keyboard-shortcuts/keys.ts";
import { compact } from "./layout.ts";
import type { useViewState } from "./url-state/use-view-state.ts";

const modes: { value: ImageMode; label: string }[] = [
  { value: "side", label: "Side by side" },
  { value: "slider", label: "Slider" },
  { value: "onion", label: "Onion skin" },
  { value: "blink", label: "Blink" },
  { value: "difference", label: "Difference" },
];

type LookToolsProps = {
  tools: ReturnType<typeof useViewState>;
  hasImage: boolean;
  isCompared: boolean;
  /** Whether the verdict is that nothing changed: the remaining differences were ignored. */
  isUnchanged: boolean;
  marks: Marks;
  run: (command: Command) => void;
  /** Further controls for the options of a screen with little room. */
  more?: ReactNode;
};

/**
 * The display controls, shared by the viewer and the public page. Where there is little room, only what is needed for
 * reading a change stays; the rest, with `more`, opens over the pictures.
 */
export function ViewerToolbar({ more, ...props }: LookToolsProps) {
  const { tools, hasImage, isCompared, isUnchanged, marks, run } = props;
  const { look, count } = tools;
  const isCompact = useMedia(compact);
  const isImage = look.show === "image";
  const says = isImage && isCompared ? regionAt(marks, look.at)?.says : undefined;
  return (
    <div className="relative z-20 flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-surface px-3 py-1.5 max-sm:gap-x-1">
      <fieldset className="inline-flex rounded-control bg-fill p-0.5 text-sm">
        <legend className="sr-only">What is shown</legend>
        {(["image", "html"] as const).map((show) => (
          <button
            key={show}
            type="button"
            aria-pressed={look.show === show}
            disabled={show === "image" && !hasImage}
            onClick={() => look.show !== show && run("image")}
            className={cx(
              "h-6 rounded-sm px-2.5 font-medium text-muted disabled:cursor-not-allowed disabled:opacity-55 max-sm:px-2",
              look.show === show && "bg-surface text-ink",
            )}
          >
            {show === "image" ? "Image" : "HTML"}
          </button>
        ))}
      </fieldset>
      {!isCompact && <LookControls {...props} />}
      {(isCompared || look.find) && count !== undefined && (
        <Stepper
          count={count}
          at={look.at}
          noun={
            look.find && !isImage ? "hit" : isImage ? "region" : isUnchanged ? "ignored difference" : "change"
          }
          run={run}
        />
      )}
      {!isCompact && <RegionControls {...props} />}
      {says && (
        <p
          aria-live="polite"
          className="min-w-0 flex-1 basis-48 truncate text-sm max-sm:sr-only"
          title={says}
          dir="auto"
        >
          {says}
        </p>
      )}
      {isCompact && (
        <Options>
          <LookControls {...props} />
          <RegionControls {...props} />
          {more}
        </Options>
      )}
    </div>
  );
}

/** The controls that don't fit, behind a button. They lie over the pictures, so that opening them moves nothing. */
function Options({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <div
      role="presentation"
      className="ms-auto"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.stopPropagation();
        setOpen(false);
        button.current?.focus();
      }}
    >
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls="viewer-options"
        onClick={() => setOpen(!isOpen)}
        className="inline-flex h-7 items-center gap-1.5 rounded-control px-2.5 text-sm font-medium whitespace-nowrap text-muted ring-1 ring-line-strong transition-colors ring-inset hover:bg-hover aria-expanded:bg-accent-bg aria-expanded:text-accent-text max-sm:px-2"
      >
        <Icon name="gear" className="size-3.5" />
        <span className="max-sm:sr-only">Options</span>
      </button>
      <div
        id="viewer-options"
        className={cx(
          "absolute inset-x-0 top-full max-h-[60dvh] flex-wrap items-center gap-2 overflow-y-auto border-y border-line bg-surface p-3 shadow-float",
          isOpen ? "flex" : "hidden",
        )}
      >
        {children}
      </div>
    </div>
  );
}

/** How the pictures or the HTML are shown. */
function LookControls({ tools, isCompared, run }: LookToolsProps) {
  const { look, setMode, setFind, findFocus } = tools;
  if (look.show === "image")
    return (
      <>
        {isCompared && (
          <Select
            label="Comparison mode"
            hideLabel
            value={look.mode}
            onChange={(mode) => setMode(mode as ImageMode)}
            options={modes}
            className="w-36"
          />
        )}
        <span className="flex items-center">
          <IconButton icon="minus" label="Zoom out" onClick={() => run("zoomOut")} />
          <button
            type="button"
            title={look.zoom === null ? "Show the actual size, 100%" : "Fit the width"}
            onClick={() => run(look.zoom === null ? "actualSize" : "zoomReset")}
            className="figures w-12 rounded-sm text-center text-sm text-muted hover:text-ink"
          >
            {look.zoom === null ? "Fit" : `${Math.round(look.zoom * 100)}%`}
          </button>
          <IconButton icon="plus" label="Zoom in" onClick={() => run("zoomIn")} />
        </span>
      </>
    );
  return (
    <>
      {isCompared && (
        <>
          <Toggle
            pressed={look.layout === "unified"}
            onClick={() => run("layout")}
            label="Unified"
            icon="menu"
          />
          <Toggle
            pressed={look.filter}
            onClick={() => run("filter")}
            label="Filter new findings"
            icon="filter"
          />
        </>
      )}
      <Toggle pressed={look.formatted} onClick={() => run("source")} label="Formatted" />
      <Toggle pressed={look.wrap} onClick={() => run("wrap")} label="Wrap" icon="wrap" />
      <Find text={look.find} onFind={setFind} focus={findFocus} run={run} />
    </>
  );
}

/** What can be done with the region in focus. */
function RegionControls({ tools, hasImage, isCompared, marks, run }: LookToolsProps) {
  const { look } = tools;
  const isImage = look.show === "image";
  if (!isCompared) return null;
  return (
    <>
      {hasImage && (
        <Button
          size="sm"
          icon={isImage ? "menu" : "image"}
          disabled={!tools.canLocate}
          title={isImage ? "Show this region in the HTML (l)" : "Show it on the picture (l)"}
          onClick={() => run("locate")}
        >
          {isImage ? "Show in HTML" : "Show in picture"}
        </Button>
      )}
      {isImage && marks.noise.length > 0 && (
        <Toggle pressed={look.noise} onClick={() => run("noise")} label={`Noise (${marks.noise.length})`} />
      )}
    </>
  );
}

type ToggleProps = {
  pressed: boolean;
  onClick: () => void;
  label: string;
  icon?: IconName;
  /** Shows only the icon on narrow screens. */
  folds?: boolean;
};

export function Toggle({ pressed, onClick, label, icon, folds = false }: ToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onClick}
      className={cx(
        "inline-flex h-7 shrink-0 items-center gap-1.5 rounded-control px-2.5 text-sm font-medium whitespace-nowrap ring-1 ring-inset transition-colors",
        pressed
          ? "bg-accent-bg text-accent-text ring-accent-text"
          : "text-muted ring-line-strong hover:bg-hover",
      )}
    >
      {icon && <Icon name={icon} className="size-3.5" />}
      <span className={folds ? "max-md:sr-only" : undefined}>{label}</span>
    </button>
  );
}

type FindProps = {
  text: string;
  onFind: (text: string) => void;
  focus: number;
  run: (command: Command) => void;
};

function Find({ text, onFind, focus, run }: FindProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focus > 0) input.current?.select();
  }, [focus]);
  return (
    <input
      ref={input}
      type="search"
      aria-label="Search the HTML"
      placeholder="Search"
      defaultValue={text}
      onChange={(event) => onFind(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") run(event.shiftKey ? "previousChange" : "nextChange");
        if (event.key !== "Escape") return;
        event.stopPropagation();
        event.currentTarget.value = "";
        onFind("");
        event.currentTarget.blur();
      }}
      className="h-7 w-32 rounded-control border border-edge bg-surface px-2 text-sm placeholder:text-quiet"
    />
  );
}

type StepperProps = { count: number; at: number; noun: string; run: (command: Command) => void };

function Stepper({ count, at, noun, run }: StepperProps) {
  const plural = count === 1 ? noun : `${noun}s`;
  return (
    <span className="flex items-center gap-0.5 text-sm whitespace-nowrap">
      <IconButton
        icon="chevronLeft"
        label={`Previous ${noun}`}
        disabled={count === 0}
        onClick={() => run("previousChange")}
      />
      <output className="figures text-muted">
        {count === 0 ? `No ${noun}s` : `${Math.min(at, count - 1) + 1} of ${count} ${plural}`}
      </output>
      <IconButton
        icon="chevronRight"
        label={`Next ${noun}`}
        disabled={count === 0}
        onClick={() => run("nextChange")}
      />
    </span>
  );
}
