import { useMedia } from "./use-media.ts";

/** Whether the screen is narrower than the specification's 640 px. */
export function useNarrow(): boolean {
  return useMedia("(width < 640px)");
}
