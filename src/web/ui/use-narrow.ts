import { useSyncExternalStore } from "react";

const query = "(width < 640px)";

/** Whether the screen is narrower than the specification's 640 px. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (notify) => {
      const media = matchMedia(query);
      media.addEventListener("change", notify);
      return () => media.removeEventListener("change", notify);
    },
    () => matchMedia(query).matches,
  );
}
