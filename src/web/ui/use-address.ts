import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** The part of the address after "?" and a way to change some of it; null removes a part. */
export function useAddress(): [
  search: URLSearchParams,
  change: (parts: Record<string, string | null>, replace?: boolean) => void,
] {
  const [search, setSearch] = useSearchParams();
  const change = useCallback(
    (parts: Record<string, string | null>, replace = false) =>
      setSearch((before) => withParts(before, parts), { replace }),
    [setSearch],
  );
  return [search, change];
}

export function withParts(search: URLSearchParams, parts: Record<string, string | null>): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(parts)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
