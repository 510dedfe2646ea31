import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { call, type ReplyOf } from "#web/api/call.ts";

export type SiteRun = NonNullable<ReplyOf<"GET /api/jobs/:jobId/site">["run"]>;
export type SitePage = ReplyOf<"GET /api/jobs/:jobId/site/pages">["pages"][number];
export type SiteFilter = {
  search: string;
  status: "" | "ok" | "moved" | "broken" | "listed" | "waiting";
  sort: "address" | "newest" | "size" | "depth";
  below: string;
  source: "" | SitePage["source"];
};

export const pageSize = 50;

/** How far the crawl is; live events refresh it. */
export function useSiteState(jobId: string) {
  return useQuery({
    queryKey: ["site", jobId, "state"],
    queryFn: ({ signal }) => call("GET /api/jobs/:jobId/site", { params: { jobId } }, { signal }),
  });
}

export function useSitePages(
  jobId: string,
  { search, status, sort, below, source }: SiteFilter,
  offset: number,
) {
  return useQuery({
    queryKey: ["site", jobId, "pages", search, status, sort, below, source, offset],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(
        "GET /api/jobs/:jobId/site/pages",
        {
          params: { jobId },
          query: {
            sort,
            offset,
            limit: pageSize,
            ...(search && { search }),
            ...(status && { status }),
            ...(below && { below }),
            ...(source && { source }),
          },
        },
        { signal },
      ),
  });
}

export function useSiteFolders(jobId: string, below: string, isOpen: boolean) {
  return useQuery({
    queryKey: ["site", jobId, "folders", below],
    enabled: isOpen,
    queryFn: ({ signal }) =>
      call("GET /api/jobs/:jobId/site/folders", { params: { jobId }, query: { below } }, { signal }),
  });
}

export function useSiteTemplates(jobId: string) {
  return useQuery({
    queryKey: ["site", jobId, "templates"],
    queryFn: ({ signal }) => call("GET /api/jobs/:jobId/site/templates", { params: { jobId } }, { signal }),
  });
}

export function useSiteDifference(jobId: string, from: string, to: string, offset: number) {
  return useQuery({
    queryKey: ["site-difference", jobId, from, to, offset],
    enabled: from !== "" && to !== "" && from !== to,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(
        "GET /api/jobs/:jobId/site/difference",
        { params: { jobId }, query: { from, to, offset, limit: pageSize } },
        { signal },
      ),
  });
}

export function useSiteRules(jobId: string) {
  return useQuery({
    queryKey: ["site", jobId, "rules"],
    queryFn: ({ signal }) => call("GET /api/jobs/:jobId/site/rules", { params: { jobId } }, { signal }),
  });
}

/** Pauses the crawl, or resumes it where it was. */
export function useCrawlControl(jobId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: "pause" | "resume") =>
      call("POST /api/jobs/:jobId/site/:action", { params: { jobId, action } }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message || "We couldn’t reach the server."),
    onSettled: () => client.invalidateQueries({ queryKey: ["site", jobId] }),
  });
}
