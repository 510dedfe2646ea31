import type { Follow } from "#detection/followed-values/followed-values.ts";
import type { TextStep } from "#detection/selectors-and-ignore-rules/step-kinds.ts";
import { call, type ReplyOf } from "#web/api/call.ts";
import { picture } from "#web/api/images.ts";

/** What rules are tested against: a job's capture, or a preview of a page that has no job yet. */
export type Source = { jobId: string; executionId?: string } | { previewId: string };
export type Coverage = ReplyOf<"POST /api/jobs/:jobId/rules/cover">["ignore"][number];
export type Element = NonNullable<ReplyOf<"GET /api/previews/:previewId/elements">["elements"]>[number];
type Picked = ReplyOf<"GET /api/previews/:previewId/elements/:at">;

type Cover = {
  selector: string;
  ignore: string[];
  values?: Pick<Follow, "by" | "rule">[];
  steps?: TextStep[];
  compareAs?: "page" | "source" | null;
};
export type PreviewedLines = ReplyOf<"POST /api/jobs/:jobId/rules/cover">["steps"][number];
export type PreviewedValue = ReplyOf<"POST /api/jobs/:jobId/rules/cover">["values"][number];

export function cover(source: Source, body: Cover, signal: AbortSignal) {
  return "previewId" in source
    ? call("POST /api/previews/:previewId/cover", { params: source, body }, { signal })
    : call("POST /api/jobs/:jobId/rules/cover", { params: { jobId: source.jobId }, body }, { signal });
}

/** The screenshot of a page, and how to request its elements. */
export type PickablePage = {
  key: string;
  image: string;
  elements: (signal: AbortSignal) => Promise<{ elements: Element[] | null }>;
  pick: (at: number, signal: AbortSignal) => Promise<Picked>;
  /** What a selector reads as a followed value. */
  read: (selector: string, signal: AbortSignal) => Promise<PreviewedValue | undefined>;
};

const reader = (source: Source): PickablePage["read"] =>
  async function read(rule, signal) {
    const values = [{ by: "selector" as const, rule }];
    return (await cover(source, { selector: "", ignore: [], values }, signal)).values[0];
  };

export function pickablePreview(previewId: string): PickablePage {
  return {
    key: previewId,
    image: `/api/previews/${previewId}/image`,
    elements: (signal) =>
      call("GET /api/previews/:previewId/elements", { params: { previewId } }, { signal }),
    pick: (at, signal) =>
      call("GET /api/previews/:previewId/elements/:at", { params: { previewId, at } }, { signal }),
    read: reader({ previewId }),
  };
}

export function pickableExecution(jobId: string, executionId: string): PickablePage {
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
    read: reader({ jobId }),
  };
}
