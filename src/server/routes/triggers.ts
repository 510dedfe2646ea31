import { renewSigningSecret } from "#alerts/signing-secret.ts";
import { limitAttempts } from "#request-limits/limit-attempts.ts";
import { listTriggerRuns } from "#triggers/list-trigger-runs.ts";
import { runTriggerAgain } from "#triggers/run-trigger-again.ts";
import { testTrigger } from "#triggers/test-trigger.ts";
import type { Handlers } from "../request-handling/register-routes.ts";
import { testLimit } from "./channels.ts";

export const triggerHandlers: Handlers<
  "listTriggerRuns" | "renewSigningSecret" | "testTrigger" | "runTriggerAgain"
> = {
  listTriggerRuns: (app, { actor }) => listTriggerRuns(app.alerts, actor),
  async renewSigningSecret(app, { actor }) {
    const secret = await renewSigningSecret(app.triggers, actor.accountId);
    return {
      code: "SECRET_RENEWED",
      message: "Triggers are signed with the new secret from now on. Copy it now: it won’t be shown again.",
      secret,
    };
  },
  async testTrigger(app, { actor, body, request }) {
    await limitAttempts(app.db, `tests:${actor.accountId}`, testLimit, "tests");
    // The receiver may never answer, and other callers of this address must not wait for it.
    request.slot?.leave();
    const { failure, ...result } = await testTrigger(app.triggers, actor, body);
    return { ...result, error: failure?.message ?? null };
  },
  async runTriggerAgain(app, { actor, params, request }) {
    await limitAttempts(app.db, `tests:${actor.accountId}`, testLimit, "runs");
    request.slot?.leave();
    return runTriggerAgain(app.triggers, actor, params.jobId, params.executionId);
  },
};
