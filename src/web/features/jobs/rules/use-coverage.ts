import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { cover, type Source } from "./source.ts";

const pauseMs = 250;

/** What the rules cover, asked anew when typing pauses; the entries are those that were asked about. */
export function useCoverage(source: Source | undefined, selector: string, ignore: string[]) {
  const typed = JSON.stringify({ selector, ignore });
  const [asked, setAsked] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const rules = JSON.parse(asked) as { selector: string; ignore: string[] };
  const isNeeded = source !== undefined && (rules.selector.trim() !== "" || rules.ignore.length > 0);
  const { data } = useQuery({
    queryKey: ["cover", source, asked],
    enabled: isNeeded,
    placeholderData: keepPreviousData,
    // The newest capture may be another one by now.
    staleTime: 0,
    retry: false,
    queryFn: ({ signal }) => cover(source as Source, rules, signal),
  });
  // While the answer is on its way, that to what was typed before would stand at the wrong line.
  return isNeeded && asked === typed ? data : undefined;
}
