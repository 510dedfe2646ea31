import { type InfiniteData, type QueryClient, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { call, type ReplyOf } from "#web/api/call.ts";
import { type History, historyKey } from "#web/api/history.ts";

export type Job = ReplyOf<"GET /api/jobs/:jobId">;
export type Group = ReplyOf<"GET /api/jobs/groups">[number];
export type GroupWithJobs = ReplyOf<"GET /api/jobs/groups/:groupId">;
/** A group without its deleted jobs, whose ids are listed apart until their deletion can't be undone any more. */
type ShownGroup = GroupWithJobs & { deletedIds: string[] };
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
  pastActions: ["bulk-actions"],
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
    select: withoutDeleted,
    queryFn: ({ signal }) =>
      call("GET /api/jobs/groups/:groupId", { params: { groupId: groupId ?? "" } }, { signal }),
  });
}

function withoutDeleted(group: GroupWithJobs): ShownGroup {
  const [deleted, Job] = [true, false].map((isDeleted) =>
    group.Job.filter(({ deleteAt }) => (deleteAt !== null) === isDeleted),
  ) as [Job[], Job[]];
  return { ...group, Job, deletedIds: deleted.map(({ id }) => id) };
}

/** A single job, for URLs that name a job without its group. */
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

/** Updates a job's state everywhere it is shown, without reloading anything else. */
export function updateCachedJob(client: QueryClient, job: Job): void {
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
  const [first, ...otherPages] = history.pages;
  if (!first) return history;
  const newest = first.executions[0]?.index ?? 0;
  const newRuns = job.executions.filter(({ index, changed }) => index > newest && (changed || !changesOnly));
  if (newRuns.length === 0) return history;
  const total = changesOnly ? job.changesTotal : job.executionsTotal;
  return {
    ...history,
    pages: [{ ...first, total, executions: [...newRuns, ...first.executions] }, ...otherPages],
  };
}
