import { type ReactNode, useEffect, useRef } from "react";
import { Button, IconButton } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { Select } from "#web/ui/select.tsx";
import type { ImageMode } from "./image/image-compare.tsx";
import { type Marks, regionAt } from "./image/regions.ts";
import type { Command } from "./keyboard-shortcuts/keys.ts";
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
};

/** The display controls, shared by the viewer and the public page. */
export function ViewerToolbar({ tools, hasImage, isCompared, isUnchanged, marks, run }: LookToolsProps) {
  const { look, count, setMode, setFind, findFocus } = tools;
  const isImage = look.show === "image";
  const says = isImage && isCompared ? regionAt(marks, look.at)?.says : undefined;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-surface px-3 py-1.5">
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
              "h-6 rounded-sm px-2.5 font-medium text-muted disabled:cursor-not-allowed disabled:opacity-55",
              look.show === show && "bg-surface text-ink",
            )}
          >
            {show === "image" ? "Image" : "HTML"}
          </button>
        ))}
      </fieldset>
      {isImage && isCompared && (
        <Select
          label="Comparison mode"
          hideLabel
          value={look.mode}
          onChange={(mode) => setMode(mode as ImageMode)}
          options={modes}
          className="w-36"
        />
      )}
      {isImage ? (
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
      ) : (
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
      )}
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
      {isCompared && hasImage && (
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
      {isImage && isCompared && marks.noise.length > 0 && (
        <Toggle pressed={look.noise} onClick={() => run("noise")} label={`Noise (${marks.noise.length})`} />
      )}
      {says && (
        <p aria-live="polite" className="min-w-0 flex-1 basis-48 truncate text-sm" title={says} dir="auto">
          {says}
        </p>
      )}
    </div>
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
