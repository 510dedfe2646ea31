import { call, type ReplyOf } from "#web/api/call.ts";
import { picture } from "#web/api/images.ts";

/** Where rules are held against a page: a job's capture, or a preview of one that is not watched yet. */
export type Source = { jobId: string; executionId?: string } | { previewId: string };
export type Coverage = ReplyOf<"POST /api/jobs/:jobId/rules/cover">["ignore"][number];
export type Element = NonNullable<ReplyOf<"GET /api/previews/:previewId/elements">["elements"]>[number];
export type Picked = ReplyOf<"GET /api/previews/:previewId/elements/:at">;

type Cover = { selector: string; ignore: string[] };

export function cover(source: Source, body: Cover, signal: AbortSignal) {
  return "previewId" in source
    ? call("POST /api/previews/:previewId/cover", { params: source, body }, { signal })
    : call("POST /api/jobs/:jobId/rules/cover", { params: { jobId: source.jobId }, body }, { signal });
}

/** The picture of a page and how its elements are asked for. */
export type Ground = {
  key: string;
  image: string;
  elements: (signal: AbortSignal) => Promise<{ elements: Element[] | null }>;
  pick: (at: number, signal: AbortSignal) => Promise<Picked>;
};

export function previewGround(previewId: string): Ground {
  return {
    key: previewId,
    image: `/api/previews/${previewId}/image`,
    elements: (signal) =>
      call("GET /api/previews/:previewId/elements", { params: { previewId } }, { signal }),
    pick: (at, signal) =>
      call("GET /api/previews/:previewId/elements/:at", { params: { previewId, at } }, { signal }),
  };
}

export function executionGround(jobId: string, executionId: string): Ground {
  const params = { jobId, executionId };
  return {
    key: executionId,
    image: picture(jobId, executionId),
    elements: (signal) =>
      call("GET /api/jobs/:jobId/executions/:executionId/elements", { params }, { signal }),
    pick: (at, signal) =>
      call(
        "GET /api/jobs/:jobId/executions/:executionId/elements/:at",
        { params: { ...params, at } },
        { signal },
      ),
  };
}
