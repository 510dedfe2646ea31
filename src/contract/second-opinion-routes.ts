import { Outcome } from "./account.ts";
import { JobParams } from "./job.ts";
import type { Route } from "./route.ts";
import {
  NewOpinionEndpoint,
  OpinionState,
  OpinionStateReply,
  OpinionTest,
  OpinionTrial,
  OpinionTrialReply,
} from "./second-opinion.ts";

/** Rows of the route table: the second opinion of a language model. */
export const secondOpinionRoutes = {
  secondOpinion: {
    method: "GET",
    path: "/api/second-opinion",
    access: "account",
    summary: "Read the endpoint of the second opinion and what it used this month",
    reply: OpinionState,
  },
  putSecondOpinion: {
    method: "PUT",
    path: "/api/second-opinion",
    access: "account",
    summary: "Set up the endpoint of the second opinion; without a key it keeps its own",
    body: NewOpinionEndpoint,
    reply: OpinionStateReply,
  },
  deleteSecondOpinion: {
    method: "DELETE",
    path: "/api/second-opinion",
    access: "account",
    summary: "Remove the endpoint of the second opinion, with its key",
    reply: Outcome,
  },
  testSecondOpinion: {
    method: "POST",
    path: "/api/second-opinion/test",
    access: "account",
    scope: "write",
    summary: "Ask the endpoint about a made-up change",
    reply: OpinionTest,
  },
  trySecondOpinion: {
    method: "POST",
    path: "/api/jobs/:jobId/second-opinion/trial",
    access: "account",
    scope: "write",
    summary: "Ask about a job's past alerts: which would have gone to the digest",
    params: JobParams,
    body: OpinionTrial,
    reply: OpinionTrialReply,
  },
} as const satisfies Record<string, Route>;
