import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { planById } from "#plans/plans.ts";
import { call, type ReplyOf } from "#web/api/call.ts";
import { useMe } from "#web/api/me.ts";

export type Report = ReplyOf<"GET /api/reports">["reports"][number];
export type Schedule = ReplyOf<"GET /api/report-schedules">["schedules"][number];

/** Whether the account's plan includes reports; assumed true until it is known, since the server decides. */
export function useHasReports(): boolean {
  const me = useMe().data;
  return !me || planById(me.planId).reports;
}

export function useReports() {
  return useQuery({
    queryKey: ["reports", "list"],
    queryFn: ({ signal }) => call("GET /api/reports", undefined, { signal }),
    // Live events report the progress; polling is the fallback where they do not arrive.
    refetchInterval: ({ state }) =>
      state.data?.reports.some((one) => one.state === "queued") ? 3000 : false,
  });
}

export function useSchedules() {
  return useQuery({
    queryKey: ["reports", "schedules"],
    queryFn: ({ signal }) => call("GET /api/report-schedules", undefined, { signal }),
  });
}

export function useGroups() {
  return useQuery({
    queryKey: ["reports", "groups"],
    queryFn: ({ signal }) => call("GET /api/jobs/groups", undefined, { signal }),
  });
}

/** Changes reports or their schedules and shows the server's message. */
export function useReportAction<T = void>(act: (input: T) => Promise<{ message: string }>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message || "We couldn’t reach the server."),
    onSettled: () => client.invalidateQueries({ queryKey: ["reports"] }),
  });
}
