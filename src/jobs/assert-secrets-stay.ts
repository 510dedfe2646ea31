import { AppError } from "#contract/errors.ts";
import type { Trigger } from "#contract/job.ts";
import type { SettingsInput } from "#contract/job-settings.ts";
import { unmaskValues } from "#contract/mask.ts";
import type { PageStep } from "#contract/page-steps.ts";
import { readPlainSetting, readSetting } from "#storage/job-settings.ts";
import type { JobRow } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { openTrigger } from "./rules.ts";

type Secret = { name: string; value: string };
type Secrets = { secrets: Deps["secrets"] };

/** Whether stored values stay: they are left out, or given as the mask that stands for them. */
const keepsStored = (given: Secret[] | null | undefined, stored: Secret[]) =>
  given
    ? unmaskValues(given, stored).some(({ value }, at) => value !== given[at]?.value)
    : given === undefined && stored.length > 0;

/** Refuses that stored values go to a site for which they weren't entered. A site may move to https. */
function assertKnownSites(what: string, field: string, known: string[], wanted: string[]): void {
  const originOf = (url: string) => URL.parse(url)?.origin ?? url;
  const origins = new Set(known.map(originOf));
  const added = wanted
    .map(originOf)
    .find((origin) => !origins.has(origin) && !origins.has(origin.replace(/^https:/, "http:")));
  if (added !== undefined)
    throw new AppError("INVALID_INPUT", `Enter the ${what} again: ${added} is a new site for them.`, {
      field,
    });
}

/** A job's headers, and the secrets of its steps, never go to a site that they weren't entered for. */
export function assertSecretsStay(
  { secrets }: Secrets,
  job: JobRow,
  input: Pick<SettingsInput, "headers" | "trigger">,
  url: string,
): void {
  if (keepsStored(input.headers, readSetting(secrets, job, "headers")))
    assertKnownSites("values of the headers", "headers", [job.url], [url]);
  if (input.trigger) assertTriggerSecretsStay({ secrets }, job, input.trigger);
}

/** Steps may type secrets on the page of the job and on those that they open. */
export function assertStepSecretsStay(
  { secrets }: Secrets,
  job: JobRow,
  input: Pick<SettingsInput, "pageSteps" | "stepSecrets">,
  url: string,
): void {
  if (!keepsStored(input.stepSecrets, readSetting(secrets, job, "stepSecrets"))) return;
  const steps = readPlainSetting<"pageSteps">(job, "pageSteps");
  assertKnownSites(
    "secrets",
    "stepSecrets",
    [job.url, ...openedBy(steps)],
    [url, ...openedBy(input.pageSteps === undefined ? steps : input.pageSteps)],
  );
}

export function assertTriggerSecretsStay({ secrets }: Secrets, job: JobRow, { url, headers }: Trigger): void {
  const stored = openTrigger(secrets, job);
  if (stored && keepsStored(headers, stored.headers))
    assertKnownSites("values of the headers", "trigger.headers", [stored.url], [url]);
}

const openedBy = (steps: PageStep[] | null) =>
  (steps ?? []).flatMap((step) => (step.type === "navigate" ? [step.url] : []));
