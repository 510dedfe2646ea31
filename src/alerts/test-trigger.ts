import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { Trigger } from "#contract/job.ts";
import { samples, valuesIn } from "#delivery/fill-placeholders.ts";
import type { TriggerResult } from "#delivery/send-trigger.ts";
import { assertTemplate, assertValues, openTrigger, unmasked } from "#jobs/rules.ts";
import { findJob } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { signingSecret } from "./signing-secret.ts";

/** Fires a trigger as it stands in a form, with example values; nothing is kept. */
export async function testTrigger(
  deps: Deps,
  actor: Actor,
  input: { trigger: Trigger; jobId?: string | undefined; values?: string[] | undefined },
): Promise<TriggerResult> {
  assertTemplate(input.trigger);
  const job = input.jobId ? await findJob(deps.db, actor.accountId, input.jobId) : undefined;
  if (input.jobId && !job) throw new AppError("NOT_FOUND");
  assertValues(input.trigger, input.values ?? job?.follow.map(({ name }) => name) ?? []);
  const kept = job ? openTrigger(deps.secrets, job) : null;
  const headers = unmasked(input.trigger.headers, kept?.headers ?? []);
  return deps.channels.trigger({
    trigger: { ...input.trigger, headers },
    values: {
      ...samples,
      "event.id": crypto.randomUUID(),
      value: Object.fromEntries(
        valuesIn(`${input.trigger.url} ${input.trigger.body}`).map((name) => [name, 59.9]),
      ),
    },
    secret: await signingSecret(deps, actor.accountId),
    attempt: 1,
    now: new Date(),
  });
}
