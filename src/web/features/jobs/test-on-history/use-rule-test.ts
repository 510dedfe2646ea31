import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { RuleTestLine, RuleTestRow } from "#contract/rule-test.ts";
import { CallError, stream } from "#web/api/call.ts";
import { readLines } from "#web/api/read-lines.ts";
import { storeTestRules, type TestRules } from "#web/api/test-rules.ts";

type Counts = Extract<RuleTestLine, { kind: "done" }>["was"];
export type RuleTestResult = { total: number; left: number; rows: RuleTestRow[]; was: Counts; now: Counts };
export type RuleTestProgress = { done: number; total: number };

/** A dry run of rules on a job's history; the result stays valid as long as the rules are the same. */
export function useRuleTest(jobId: string, rules: TestRules, days: number) {
  const client = useQueryClient();
  const key = ["trial", jobId, days, JSON.stringify(rules)];
  const [progress, setProgress] = useState<RuleTestProgress>();
  const [isCancelled, setCancelled] = useState(false);
  const query = useQuery({
    queryKey: key,
    enabled: !isCancelled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30 * 60_000,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    queryFn: async ({ signal }): Promise<RuleTestResult> => {
      const from = days > 0 ? { from: new Date(Date.now() - days * 86_400_000).toISOString() } : {};
      const rows: RuleTestRow[] = [];
      let begun = { total: 0, left: 0 };
      let end: RuleTestLine | undefined;
      setProgress(undefined);
      storeTestRules(jobId, rules);
      const handleLine = (line: RuleTestLine) => {
        if (line.kind === "begun") begun = line;
        else if (line.kind === "progress") rows.push(...line.rows);
        else end = line;
        setProgress({ total: begun.total, done: line.kind === "progress" ? line.done : 0 });
      };
      const response = await stream(
        "POST /api/jobs/:jobId/rules/try",
        { params: { jobId }, body: { ...rules, ...from } },
        { signal },
      );
      await readLines(response, handleLine);
      if (end?.kind === "problem") throw new CallError(409, "CONFLICT", end.message);
      if (end?.kind !== "done")
        throw new CallError(0, "NETWORK", "The test was interrupted. Nothing was changed.");
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
