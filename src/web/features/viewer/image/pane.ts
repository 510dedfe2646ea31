import type { ComparedArea, Region } from "#detection/verdict/verdict.ts";
import type { Band } from "./align.ts";
import type { Picture } from "./use-picture.ts";

type PaneSide = {
  label: string;
  picture: Picture;
  /** The parts of the picture that count under the job's rules. */
  comparedArea: ComparedArea | null;
};

/** The props of every comparison mode. */
export type PaneProps = {
  before: PaneSide;
  after: PaneSide;
  regions: readonly Region[];
  bands: readonly Band[];
  scale: number;
  current: number;
  /** Noise regions, if they are shown; they are numbered after the others. */
  noise: readonly Region[];
  onPick: (region: number) => void;
};
