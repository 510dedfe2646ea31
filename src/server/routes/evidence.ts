import type { EvidenceSettings } from "#contract/evidence.ts";
import { readDailySeals, setEvidence } from "#evidence/list-daily-seals.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const evidenceHandlers: Handlers<"evidence" | "setEvidence"> = {
  evidence: (app, { actor }) => readDailySeals(app.evidence, actor),
  async setEvidence(app, { actor, body }) {
    await setEvidence(app.evidence, actor, body);
    return {
      code: "EVIDENCE_SET",
      message: describeChange(body),
    };
  },
};

function describeChange({ mail, webhook }: EvidenceSettings): string {
  const sentences = [
    mail === true && "You’ll get each day’s fingerprint by email.",
    mail === false && "You’ll no longer get daily fingerprints by email.",
    webhook && "Each day’s fingerprint is sent to your webhook.",
    webhook === null && "Daily fingerprints are no longer sent to a webhook.",
  ];
  return sentences.filter(Boolean).join(" ");
}
