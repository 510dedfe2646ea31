import { Outcome } from "./account.ts";
import { Evidence, EvidenceSettings } from "./evidence.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: what vouches for the captures. */
export const evidenceRoutes = {
  evidence: {
    method: "GET",
    path: "/api/evidence",
    access: "account",
    summary: "The heads of the newest days, which seal all captures before them",
    reply: Evidence,
  },
  setEvidence: {
    method: "PATCH",
    path: "/api/evidence",
    access: "account",
    summary: "Have the head of each day mailed, or not",
    body: EvidenceSettings,
    reply: Outcome,
  },
} as const satisfies Record<string, Route>;
