import { z } from "zod";
import { CoverInput, CoverReply, ElementParams, Elements, Picked, PreviewElementParams } from "./coverage.ts";
import { Comparison, ExecutionParams, JobParams } from "./job.ts";
import { Preview, PreviewInput, PreviewParams } from "./preview.ts";
import type { Route } from "./route.ts";
import { TrialComparison, TrialInput } from "./trial.ts";

/** Rows of the route table: rules before they are saved. */
export const ruleRoutes = {
  tryRules: {
    method: "POST",
    path: "/api/jobs/:jobId/rules/try",
    access: "account",
    demo: true,
    summary:
      "What the history would have been with other rules: a line of JSON as far as it is, closing it cancels",
    params: JobParams,
    body: TrialInput,
    reply: "application/x-ndjson",
  },
  compareByRules: {
    method: "POST",
    path: "/api/jobs/:jobId/rules/compare",
    access: "account",
    demo: true,
    summary: "How two executions differ by rules that are not saved",
    params: JobParams,
    body: TrialComparison,
    reply: Comparison,
  },
  coverRules: {
    method: "POST",
    path: "/api/jobs/:jobId/rules/cover",
    access: "account",
    demo: true,
    summary: "How much of the newest capture each rule covers",
    params: JobParams,
    body: CoverInput,
    reply: CoverReply,
  },
  elements: {
    method: "GET",
    path: "/api/jobs/:jobId/executions/:executionId/elements",
    access: "account",
    summary: "Where the elements of a capture stand on its picture",
    params: ExecutionParams,
    reply: Elements,
  },
  pickElement: {
    method: "GET",
    path: "/api/jobs/:jobId/executions/:executionId/elements/:at",
    access: "account",
    summary: "A short selector for one element",
    params: ElementParams,
    reply: Picked,
  },
  askPreview: {
    method: "POST",
    path: "/api/previews",
    access: "account",
    summary: "Look at a page once, without making a job",
    body: PreviewInput,
    reply: z.object({ id: z.uuid() }),
    status: 202,
  },
  preview: {
    method: "GET",
    path: "/api/previews/:previewId",
    access: "account",
    summary: "What came of a preview; it is kept for an hour",
    params: PreviewParams,
    reply: Preview,
  },
  previewImage: {
    method: "GET",
    path: "/api/previews/:previewId/image",
    access: "account",
    summary: "The preview's screenshot",
    params: PreviewParams,
    reply: "image/png",
  },
  previewElements: {
    method: "GET",
    path: "/api/previews/:previewId/elements",
    access: "account",
    summary: "Where the elements of a preview stand on its picture",
    params: PreviewParams,
    reply: Elements,
  },
  pickPreviewElement: {
    method: "GET",
    path: "/api/previews/:previewId/elements/:at",
    access: "account",
    summary: "A short selector for one element of a preview",
    params: PreviewElementParams,
    reply: Picked,
  },
  coverPreview: {
    method: "POST",
    path: "/api/previews/:previewId/cover",
    access: "account",
    summary: "How much of a preview each rule covers",
    params: PreviewParams,
    body: CoverInput,
    reply: CoverReply,
  },
} as const satisfies Record<string, Route>;
