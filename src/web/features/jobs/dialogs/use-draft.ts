import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

/**
 * What was typed into a dialog, kept until it is sent: closing the dialog by accident loses nothing.
 * It lives in the visit's memory only, because it may hold secrets.
 */
export function useDraft<T>(name: string, initial: () => T) {
  const client = useQueryClient();
  const key = ["draft", name];
  const [draft, setDraft] = useState<T>(() => client.getQueryData<T>(key) ?? initial());
  return {
    draft,
    isKept: client.getQueryData(key) !== undefined,
    setDraft: (next: T) => {
      setDraft(next);
      client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY });
      client.setQueryData(key, next);
    },
    forget: (next?: T) => {
      client.removeQueries({ queryKey: key });
      if (next !== undefined) setDraft(next);
    },
  };
}
