import { type InfiniteData, type QueryClient, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { call, type ReplyOf } from "#web/api/call.ts";
import { type History, historyKey } from "#web/api/history.ts";

export type Job = ReplyOf<"GET /api/jobs/:jobId">;
export type Group = ReplyOf<"GET /api/jobs/groups">[number];
export type GroupWithJobs = ReplyOf<"GET /api/jobs/groups/:groupId">;
export type Execution = Job["executions"][number];
export type LogEntry = ReplyOf<"GET /api/jobs/:jobId/logs">[number];

export const keys = {
  groups: ["groups"],
  group: (id: string) => ["group", id],
  job: (id: string) => ["job", id],
  logs: (jobId: string) => ["logs", jobId],
  activity: (jobId: string) => ["activity", jobId],
  values: (jobId: string) => ["values", jobId],
  timeline: (jobId: string) => ["timeline", jobId],
  opened: (jobId: string) => ["execution", jobId],
  ends: (jobId: string) => ["ends", jobId],
};

export function useGroups() {
  return useQuery({
    queryKey: keys.groups,
    queryFn: ({ signal }) => call("GET /api/jobs/groups", undefined, { signal }),
  });
}

export function useGroup(groupId: string | undefined) {
  return useQuery({
    queryKey: keys.group(groupId ?? ""),
    enabled: groupId !== undefined,
    queryFn: ({ signal }) =>
      call("GET /api/jobs/groups/:groupId", { params: { groupId: groupId ?? "" } }, { signal }),
  });
}

/** A job by itself, for an address that names one without its group. */
export function useJob(jobId: string | undefined) {
  return useQuery({
    queryKey: keys.job(jobId ?? ""),
    enabled: jobId !== undefined,
    queryFn: ({ signal }) => call("GET /api/jobs/:jobId", { params: { jobId: jobId ?? "" } }, { signal }),
  });
}

const logPageSize = 200;

export function useLogs(jobId: string) {
  return useInfiniteQuery({
    queryKey: keys.logs(jobId),
    initialPageParam: undefined as number | undefined,
    queryFn: ({ signal, pageParam }) =>
      call(
        "GET /api/jobs/:jobId/logs",
        { params: { jobId }, query: { limit: logPageSize, cursor: pageParam } },
        { signal },
      ),
    getNextPageParam: (page) => (page.length === logPageSize ? page.at(-1)?.id : undefined),
  });
}

/** Puts a job's newest state everywhere it is shown, without reading anything else again. */
export function putJob(client: QueryClient, job: Job): void {
  client.setQueryData(keys.job(job.id), job);
  client.setQueryData<GroupWithJobs>(
    keys.group(job.groupId),
    (group) => group && { ...group, Job: group.Job.map((other) => (other.id === job.id ? job : other)) },
  );
  for (const changesOnly of [false, true]) {
    client.setQueryData<InfiniteData<History>>(
      historyKey(job.id, changesOnly),
      (history) => history && prepend(history, job, changesOnly),
    );
  }
}

function prepend(history: InfiniteData<History>, job: Job, changesOnly: boolean): InfiniteData<History> {
  const [first, ...rest] = history.pages;
  if (!first) return history;
  const newest = first.executions[0]?.index ?? 0;
  const news = job.executions.filter(({ index, changed }) => index > newest && (changed || !changesOnly));
  if (news.length === 0) return history;
  const total = changesOnly ? job.changesTotal : job.executionsTotal;
  return {
    ...history,
    pages: [{ ...first, total, executions: [...news, ...first.executions] }, ...rest],
  };
}
