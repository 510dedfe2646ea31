import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { TextStep } from "#detection/selectors-and-ignore-rules/step-kinds.ts";
import { cover, type Source } from "./source.ts";

const pauseMs = 250;

type Given = {
  selector: string;
  ignore: string[];
  steps: TextStep[];
  compareAs: "page" | "source" | null;
};

/** What the rules cover, requested when typing pauses. A result always belongs to the rules as typed. */
export function useCoverage(source: Source | undefined, given: Given) {
  const typed = JSON.stringify(given);
  const [requested, setRequested] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setRequested(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const rules = JSON.parse(requested) as Given;
  const isNeeded =
    source !== undefined &&
    [rules.selector.trim(), ...rules.ignore, ...rules.steps, rules.compareAs].some(Boolean);
  const { data } = useQuery({
    queryKey: ["cover", source, requested],
    enabled: isNeeded,
    placeholderData: keepPreviousData,
    // There may be a newer capture by now.
    staleTime: 0,
    retry: false,
    queryFn: ({ signal }) => cover(source as Source, rules, signal),
  });
  // Until the response arrives, the previous one would appear at the wrong lines.
  return isNeeded && requested === typed ? data : undefined;
}
