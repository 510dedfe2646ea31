import { useMemo } from "react";
import type { ComparedArea, Region } from "#detection/verdict/verdict.ts";
import { Empty } from "#web/ui/states.tsx";
import type { Counts } from "./html/code-view.tsx";
import { HtmlPane, type HtmlSource } from "./html/html-pane.tsx";
import { ImageCompare } from "./image/image-compare.tsx";
import type { Marks } from "./image/regions.ts";
import { SingleImage } from "./image/single-image.tsx";
import type { Look } from "./url-state/view-state.ts";

const none: Region[] = [];

/** A capture to show, with the sources of its HTML and its screenshot. */
export type Capture = HtmlSource & { image: string | null };

type CapturePaneProps = {
  look: Look;
  before: Capture | null;
  after: Capture;
  /** Undefined until they are known. */
  marks: Marks | undefined;
  sights?: { old: ComparedArea | null; new: ComparedArea | null } | undefined;
  onPick: (region: number) => void;
  onLocated: (change: number) => void;
  /** Number of steps taken, so that a step to the change already in focus shows it again. */
  steps: number;
  onCounted: (counts: Counts | undefined) => void;
  onFit: (scale: number) => void;
};

/** One capture, or two compared, as screenshots or as HTML. */
export function CapturePane({ look, before, after, marks, sights, steps, ...on }: CapturePaneProps) {
  const { onCounted, onFit, onPick, onLocated } = on;
  const regions = useMemo(() => (marks ? [...marks.regions, ...marks.noise] : none), [marks]);
  if (look.show === "html") {
    return (
      <HtmlPane
        before={before}
        after={after}
        formatted={look.formatted}
        layout={look.layout}
        filter={look.filter}
        wrap={look.wrap}
        wanted={look.find}
        current={look.at}
        steps={steps}
        regions={regions}
        wantedRegion={look.region}
        onLocated={onLocated}
        onCounted={onCounted}
      />
    );
  }
  if (!after.image) {
    return (
      <Empty icon="image" title="No screenshot" className="flex-1 content-center">
        This capture has no screenshot. Its HTML is stored.
      </Empty>
    );
  }
  if (!before?.image) {
    return <SingleImage src={after.image} label={after.label} zoom={look.zoom} onFit={onFit} />;
  }
  return (
    <ImageCompare
      before={{ src: before.image, label: before.label, comparedArea: sights?.old ?? null }}
      after={{ src: after.image, label: after.label, comparedArea: sights?.new ?? null }}
      marks={marks}
      showsNoise={look.noise}
      onPick={onPick}
      mode={look.mode}
      zoom={look.zoom}
      onFit={onFit}
      current={look.at}
      steps={steps}
    />
  );
}
