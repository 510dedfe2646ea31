import type { Region, Sight } from "#detection/verdict.ts";
import type { Band } from "./align.ts";
import type { Picture } from "./use-picture.ts";

type PaneSide = {
  label: string;
  picture: Picture;
  /** What of it counts. */
  sight: Sight | null;
};

/** What every way of looking at two pictures is given. */
export type PaneProps = {
  before: PaneSide;
  after: PaneSide;
  regions: readonly Region[];
  bands: readonly Band[];
  scale: number;
  current: number;
  /** Regions of what was taken for noise, where they are to be seen; they are numbered behind the others. */
  noise: readonly Region[];
  onPick: (region: number) => void;
};
