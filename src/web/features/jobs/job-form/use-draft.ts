import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

/** Where a draft is stored across page reloads, and which part of it: never a secret. */
type DraftStorage<T> = { key: string; part: (draft: T) => T };

/**
 * Keeps what was typed into a dialog until it is submitted, so that closing the dialog by accident loses nothing.
 * The whole draft stays in memory; with `keep`, the part that is not secret also goes to sessionStorage.
 */
export function useDraft<T>(name: string, initial: () => T, keep?: DraftStorage<T>) {
  const client = useQueryClient();
  const key = ["draft", name];
  const [found] = useState(() => client.getQueryData<T>(key) ?? (keep && readStoredDraft(keep.key, initial)));
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

function readStoredDraft<T>(key: string, initial: () => T): T | undefined {
  const stored = sessionStorage.getItem(key);
  if (stored === null) return undefined;
  // Only setDraft writes this key.
  const draft = JSON.parse(stored) as T;
  // A draft from before an update lacks the fields that were added since.
  return typeof draft === "object" ? { ...initial(), ...draft } : draft;
}
