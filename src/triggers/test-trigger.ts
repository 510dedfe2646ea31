import { signingSecret } from "#alerts/signing-secret.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { Trigger } from "#contract/job.ts";
import { unmaskValues } from "#contract/mask.ts";
import { assertTriggerSecretsStay } from "#jobs/assert-secrets-stay.ts";
import { assertTemplate, assertValues, openTrigger } from "#jobs/rules.ts";
import { followedValuesIn, sampleValues } from "#message-templates/template.ts";
import { findJob } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { sendTrigger, type TriggerResult } from "./send-trigger.ts";

/** Fires a trigger as it is filled in on a form, with example values; nothing is stored. */
export async function testTrigger(
  deps: Deps,
  actor: Actor,
  input: { trigger: Trigger; jobId?: string | undefined; values?: string[] | undefined },
): Promise<TriggerResult> {
  assertTemplate(input.trigger);
  const job = input.jobId ? await findJob(deps.db, actor.accountId, input.jobId) : undefined;
  if (input.jobId && !job) throw new AppError("NOT_FOUND");
  assertValues(input.trigger, input.values ?? job?.follow.map(({ name }) => name) ?? []);
  if (job) assertTriggerSecretsStay(deps, job, input.trigger);
  const saved = job ? openTrigger(deps.secrets, job) : null;
  const headers = unmaskValues(input.trigger.headers, saved?.headers ?? []);
  return sendTrigger(deps.http, {
    trigger: { ...input.trigger, headers },
    values: {
      ...sampleValues,
      "event.id": crypto.randomUUID(),
      value: Object.fromEntries(
        followedValuesIn(`${input.trigger.url} ${input.trigger.body}`).map((name) => [name, 59.9]),
      ),
    },
    secret: await signingSecret(deps, actor.accountId),
    attempt: 1,
    now: new Date(),
  });
}
