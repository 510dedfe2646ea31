import { z } from "zod";
import { CoverInput, CoverReply, ElementParams, Elements, Picked, PreviewElementParams } from "./coverage.ts";
import { Comparison, ExecutionParams, JobParams } from "./job.ts";
import { Preview, PreviewInput, PreviewParams, RunsPreview, RunsPreviewInput } from "./preview.ts";
import type { Route } from "./route.ts";
import { RuleTestComparison, RuleTestInput } from "./rule-test.ts";

/** Rows of the route table: testing rules before they are saved, and previews of pages and schedules. */
export const ruleRoutes = {
  tryRules: {
    method: "POST",
    path: "/api/jobs/:jobId/rules/try",
    access: "account",
    demo: true,
    summary:
      "Test unsaved rules on a job's history; streams lines of JSON, and closing the connection cancels the test",
    params: JobParams,
    body: RuleTestInput,
    reply: "application/x-ndjson",
  },
  compareByRules: {
    method: "POST",
    path: "/api/jobs/:jobId/rules/compare",
    access: "account",
    demo: true,
    summary: "Compare two executions using unsaved rules",
    params: JobParams,
    body: RuleTestComparison,
    reply: Comparison,
  },
  coverRules: {
    method: "POST",
    path: "/api/jobs/:jobId/rules/cover",
    access: "account",
    demo: true,
    summary: "Measure how much of the newest capture each rule covers",
    params: JobParams,
    body: CoverInput,
    reply: CoverReply,
  },
  elements: {
    method: "GET",
    path: "/api/jobs/:jobId/executions/:executionId/elements",
    access: "account",
    summary: "List the elements of a capture with their positions on its picture",
    params: ExecutionParams,
    reply: Elements,
  },
  pickElement: {
    method: "GET",
    path: "/api/jobs/:jobId/executions/:executionId/elements/:at",
    access: "account",
    summary: "Get a short selector for one element of a capture",
    params: ElementParams,
    reply: Picked,
  },
  askPreview: {
    method: "POST",
    path: "/api/previews",
    access: "account",
    summary: "Capture a page once, without creating a job",
    body: PreviewInput,
    reply: z.object({ id: z.uuid() }),
    status: 202,
  },
  preview: {
    method: "GET",
    path: "/api/previews/:previewId",
    access: "account",
    summary: "Get the result of a preview, which is kept for an hour",
    params: PreviewParams,
    reply: Preview,
  },
  previewImage: {
    method: "GET",
    path: "/api/previews/:previewId/image",
    access: "account",
    summary: "Get the screenshot of a preview",
    params: PreviewParams,
    reply: "image/png",
  },
  previewElements: {
    method: "GET",
    path: "/api/previews/:previewId/elements",
    access: "account",
    summary: "List the elements of a preview with their positions on its picture",
    params: PreviewParams,
    reply: Elements,
  },
  pickPreviewElement: {
    method: "GET",
    path: "/api/previews/:previewId/elements/:at",
    access: "account",
    summary: "Get a short selector for one element of a preview",
    params: PreviewElementParams,
    reply: Picked,
  },
  previewRuns: {
    method: "POST",
    path: "/api/previews/runs",
    access: "account",
    demo: true,
    summary: "Preview when a job would be checked next, with its settings or with others that aren't saved",
    body: RunsPreviewInput,
    reply: RunsPreview,
  },
  coverPreview: {
    method: "POST",
    path: "/api/previews/:previewId/cover",
    access: "account",
    summary: "Measure how much of a preview each rule covers",
    params: PreviewParams,
    body: CoverInput,
    reply: CoverReply,
  },
} as const satisfies Record<string, Route>;
