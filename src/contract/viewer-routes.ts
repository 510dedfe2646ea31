import { z } from "zod";
import { LinkToken, Outcome } from "./account.ts";
import { exportFormats } from "./export.ts";
import { ExecutionParams, JobParams, OftenReply } from "./job.ts";
import { Noise, NoisePlace } from "./noise.ts";
import type { Route } from "./route.ts";
import { NewShare, Share, SharedComparison, ShareMade, SharePart, ShareToken } from "./share.ts";
import { Timeline, TimelineQuery } from "./timeline.ts";

/** Rows of the route table: ways out of the viewer, and the views over a job's whole life. */
export const viewerRoutes = {
  createShare: {
    method: "POST",
    path: "/api/jobs/:jobId/share",
    access: "account",
    scope: "write",
    summary: "Make a public link to one comparison",
    params: JobParams,
    body: NewShare,
    reply: ShareMade,
  },
  listShares: {
    method: "GET",
    path: "/api/share",
    access: "account",
    summary: "The links that work today",
    reply: z.object({ shares: z.array(Share) }),
  },
  share: {
    method: "GET",
    path: "/api/share/:token",
    access: "public",
    summary: "What a link shows; unknown, expired and revoked links look alike",
    params: ShareToken,
    reply: SharedComparison,
  },
  deleteShare: {
    method: "DELETE",
    path: "/api/share/:token",
    access: "account",
    scope: "write",
    summary: "Revoke a link at once, by its token or its id",
    params: ShareToken,
    reply: Outcome,
  },
  shareImage: {
    method: "GET",
    path: "/api/share/:token/:side/image",
    access: "public",
    summary: "A shared screenshot",
    params: SharePart,
    reply: "image/png",
  },
  shareHtml: {
    method: "GET",
    path: "/api/share/:token/:side/html",
    access: "public",
    summary: "Shared HTML, as text",
    params: SharePart,
    reply: "text/plain",
  },
  answerOften: {
    method: "POST",
    path: "/api/jobs/:jobId/executions/:executionId/often",
    access: "account",
    scope: "write",
    summary: "Say what to do about the places that an execution found changing again and again",
    params: ExecutionParams,
    body: OftenReply,
    reply: Outcome,
  },
  oftenPage: {
    method: "GET",
    path: "/api/often/:token",
    access: "public",
    summary: "Asks whether the answer that a mail's link stands for shall hold",
    params: LinkToken,
    reply: "text/html",
  },
  oftenByLink: {
    method: "POST",
    path: "/api/often/:token",
    access: "public",
    summary: "Give the answer that a mail's link stands for",
    params: LinkToken,
    bodyType: "form",
    reply: "text/html",
  },
  exportJob: {
    method: "GET",
    path: "/api/jobs/:jobId/export",
    access: "account",
    summary: "A job's history as JSON, CSV or ZIP with the captures",
    params: JobParams,
    query: z.object({ format: z.enum(exportFormats).default("json") }),
    reply: "application/octet-stream",
  },
  noise: {
    method: "GET",
    path: "/api/jobs/:jobId/noise",
    access: "account",
    summary: "What a job has learned to take for noise",
    params: JobParams,
    reply: Noise,
  },
  unlearnNoise: {
    method: "POST",
    path: "/api/jobs/:jobId/noise/unlearn",
    access: "account",
    scope: "write",
    summary: "Let a place alert again",
    params: JobParams,
    body: NoisePlace,
    reply: Outcome,
  },
  timeline: {
    method: "GET",
    path: "/api/jobs/:jobId/timeline",
    access: "account",
    summary: "A job's life in equal pieces of time",
    params: JobParams,
    query: TimelineQuery,
    reply: Timeline,
  },
  executionThumbnail: {
    method: "GET",
    path: "/api/jobs/:jobId/executions/:executionId/thumbnail",
    access: "account",
    summary: "The top of the screenshot, small",
    params: ExecutionParams,
    reply: "image/webp",
  },
} as const satisfies Record<string, Route>;
