import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

/** Where a draft is kept over a reload of the page, and what of it: never a secret. */
type Keep<T> = { key: string; part: (draft: T) => T };

/**
 * What was typed into a dialog, kept until it is sent: closing the dialog by accident loses nothing.
 * Whole in the visit's memory; with `keep`, the part that is no secret also in the tab's storage.
 */
export function useDraft<T>(name: string, initial: () => T, keep?: Keep<T>) {
  const client = useQueryClient();
  const key = ["draft", name];
  const [found] = useState(() => client.getQueryData<T>(key) ?? (keep && readKept<T>(keep.key)));
  const [draft, setDraft] = useState<T>(() => found ?? initial());
  const [isKept, setKept] = useState(found !== undefined);
  return {
    draft,
    isKept,
    setDraft: (next: T) => {
      setDraft(next);
      setKept(true);
      client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY });
      client.setQueryData(key, next);
      if (keep) sessionStorage.setItem(keep.key, JSON.stringify(keep.part(next)));
    },
    forget: (next?: T) => {
      client.removeQueries({ queryKey: key });
      if (keep) sessionStorage.removeItem(keep.key);
      setKept(false);
      if (next !== undefined) setDraft(next);
    },
  };
}

function readKept<T>(key: string): T | undefined {
  const kept = sessionStorage.getItem(key);
  // Only what was written above is read here.
  return kept === null ? undefined : (JSON.parse(kept) as T);
}
