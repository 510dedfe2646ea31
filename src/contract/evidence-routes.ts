import { Outcome } from "./account.ts";
import { Evidence, EvidenceSettings } from "./evidence.ts";
import type { Route } from "./route.ts";

/** Rows of the route table: the daily seals, which prove the captures. */
export const evidenceRoutes = {
  evidence: {
    method: "GET",
    path: "/api/evidence",
    access: "account",
    summary: "List the newest 30 daily fingerprints; each one covers all captures up to the end of its day",
    reply: Evidence,
  },
  setEvidence: {
    method: "PATCH",
    path: "/api/evidence",
    access: "account",
    summary: "Turn the email with each day's fingerprint on or off, or set the webhook that gets it",
    body: EvidenceSettings,
    reply: Outcome,
  },
} as const satisfies Record<string, Route>;
