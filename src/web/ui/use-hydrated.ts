import { useSyncExternalStore } from "react";

/** Whether React runs the page; false in markup that was drawn at build time. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
