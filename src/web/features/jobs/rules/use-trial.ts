import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { TrialLine, TrialRow } from "#contract/trial.ts";
import { ApiError } from "#web/api/call.ts";
import { readLines } from "#web/api/read-lines.ts";
import { keepTrialRules, type TrialRules } from "#web/api/trial-rules.ts";

type Counts = Extract<TrialLine, { kind: "done" }>["was"];
export type TrialResult = { total: number; left: number; rows: TrialRow[]; was: Counts; now: Counts };
export type TrialProgress = { done: number; total: number };

/** A trial of rules on a job's history; what it found stays for as long as the rules are the same. */
export function useTrial(jobId: string, rules: TrialRules, days: number) {
  const client = useQueryClient();
  const key = ["trial", jobId, days, JSON.stringify(rules)];
  const [progress, setProgress] = useState<TrialProgress>();
  const [isCancelled, setCancelled] = useState(false);
  const query = useQuery({
    queryKey: key,
    enabled: !isCancelled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30 * 60_000,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    queryFn: async ({ signal }): Promise<TrialResult> => {
      const from = days > 0 ? { from: new Date(Date.now() - days * 86_400_000).toISOString() } : {};
      const rows: TrialRow[] = [];
      let begun = { total: 0, left: 0 };
      let end: TrialLine | undefined;
      setProgress(undefined);
      keepTrialRules(jobId, rules);
      const hear = (line: TrialLine) => {
        if (line.kind === "begun") begun = line;
        else if (line.kind === "progress") rows.push(...line.rows);
        else end = line;
        setProgress({ total: begun.total, done: line.kind === "progress" ? line.done : 0 });
      };
      await readLines(`/api/jobs/${jobId}/rules/try`, { ...rules, ...from }, hear, signal);
      if (end?.kind === "problem") throw new ApiError(409, "CONFLICT", end.message);
      if (end?.kind !== "done") throw new ApiError(0, "NETWORK", "The trial broke off. Nothing was changed.");
      return { ...begun, rows, was: end.was, now: end.now };
    },
  });
  return {
    result: query.data,
    error: query.error,
    isRunning: query.isFetching,
    progress,
    isCancelled,
    cancel: () => {
      setCancelled(true);
      void client.cancelQueries({ queryKey: key });
    },
    again: () => {
      setCancelled(false);
      if (!isCancelled) void query.refetch();
    },
  };
}
