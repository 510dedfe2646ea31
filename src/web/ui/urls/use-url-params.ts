import { useCallback } from "react";
import { useNavigate, useSearchParams } from "react-router";

type Parts = Record<string, string | null>;

/** The URL's query parameters, and a function that changes some of them; null removes one. */
export function useUrlParams(): [
  search: URLSearchParams,
  change: (parts: Parts | ((now: URLSearchParams) => Parts), replace?: boolean) => void,
] {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const change = useCallback(
    (parts: Parts | ((now: URLSearchParams) => Parts), replace = false) => {
      // The screen renders some time after the URL changes: a key pressed meanwhile continues from the URL.
      const now = new URLSearchParams(location.search);
      void navigate(`?${withUrlParams(now, typeof parts === "function" ? parts(now) : parts)}`, { replace });
    },
    [navigate],
  );
  return [search, change];
}

export function withUrlParams(search: URLSearchParams, parts: Parts): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(parts)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
