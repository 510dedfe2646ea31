import { readEvidence, setEvidence } from "#reports/read-evidence.ts";
import type { Handlers } from "../register-routes.ts";

export const evidenceHandlers: Handlers<"evidence" | "setEvidence"> = {
  evidence: (app, { actor }) => readEvidence(app.evidence, actor),
  async setEvidence(app, { actor, body }) {
    await setEvidence(app.evidence, actor, body.mail);
    return {
      code: "EVIDENCE_SET",
      message: body.mail ? "The head of each day is mailed." : "Heads are not mailed any more.",
    };
  },
};
