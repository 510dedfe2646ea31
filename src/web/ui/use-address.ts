import { useCallback } from "react";
import { useNavigate, useSearchParams } from "react-router";

type Parts = Record<string, string | null>;

/** The part of the address after "?" and a way to change some of it; null removes a part. */
export function useAddress(): [
  search: URLSearchParams,
  change: (parts: Parts | ((now: URLSearchParams) => Parts), replace?: boolean) => void,
] {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const change = useCallback(
    (parts: Parts | ((now: URLSearchParams) => Parts), replace = false) => {
      // The screen is drawn some time after the address changes: a key pressed meanwhile goes on from the address.
      const now = new URLSearchParams(location.search);
      void navigate(`?${withParts(now, typeof parts === "function" ? parts(now) : parts)}`, { replace });
    },
    [navigate],
  );
  return [search, change];
}

export function withParts(search: URLSearchParams, parts: Parts): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(parts)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
