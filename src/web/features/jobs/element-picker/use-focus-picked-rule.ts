import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

export const pickedKey = ["picked"];

/** Returns a ref for the form's rules, and focuses the rule that was just picked so that it is seen. */
export function useFocusPickedRule() {
  const client = useQueryClient();
  const rules = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const field = client.getQueryData<string>(pickedKey);
    if (!field) return;
    client.removeQueries({ queryKey: pickedKey });
    // Wait until the dialog has focused its first field.
    requestAnimationFrame(() => rules.current?.querySelector<HTMLElement>(`[name=${field}]`)?.focus());
  }, [client]);
  return rules;
}
