import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

export const pickedKey = ["picked"];

/** The rules of the form; what was just picked has the focus there, so that it is seen. */
export function usePicked() {
  const client = useQueryClient();
  const rules = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const field = client.getQueryData<string>(pickedKey);
    if (!field) return;
    client.removeQueries({ queryKey: pickedKey });
    // After the dialog has given the focus to its first field.
    requestAnimationFrame(() => rules.current?.querySelector<HTMLElement>(`[name=${field}]`)?.focus());
  }, [client]);
  return rules;
}
