import type { Region } from "#detection/verdict.ts";
import type { Band } from "./align.ts";
import type { Picture } from "./use-picture.ts";

type PaneSide = { label: string; picture: Picture };

/** What every way of looking at two pictures is given. */
export type PaneProps = {
  before: PaneSide;
  after: PaneSide;
  regions: readonly Region[];
  bands: readonly Band[];
  scale: number;
  current: number;
};
