import type { GroupSettings } from "#contract/job.ts";
import { groupNames, type SettingValues } from "#contract/job-settings.ts";
import { maskValues } from "#contract/mask.ts";
import { groupDefault, openGroupHeaders, openGroupStepSecrets } from "#group-defaults/inherit.ts";
import { readSettings } from "#storage/job-settings.ts";
import type { JobRow } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";

/** A job's settings as the API shows them: its own with masked secrets, and its group's defaults. */
export function showSettings(
  secrets: Deps["secrets"],
  job: JobRow,
): SettingValues & { inherited: GroupSettings | null } {
  const settings = readSettings(secrets, job);
  const { headers, trigger, stepSecrets } = settings;
  return {
    ...settings,
    headers: maskValues(headers),
    stepSecrets: maskValues(stepSecrets),
    trigger: trigger && { ...trigger, headers: maskValues(trigger.headers) },
    inherited: showInherited(secrets, job),
  };
}

type Grouped = Pick<
  JobRow,
  "handed" | "group_id" | "group_headers_sealed" | "group_step_secrets_sealed" | "group_timetable"
>;

/** A group's defaults, without its secrets. */
export function showGroupDefaults(secrets: Deps["secrets"], job: Grouped): GroupSettings {
  const sealed = {
    headers: maskValues(openGroupHeaders(secrets, job)),
    stepSecrets: maskValues(openGroupStepSecrets(secrets, job)),
  };
  const entries = groupNames.map((name) => [
    name,
    name === "headers" || name === "stepSecrets" ? sealed[name] : groupDefault(job, name),
  ]);
  return Object.fromEntries(entries) as GroupSettings;
}

function showInherited(secrets: Deps["secrets"], job: JobRow): GroupSettings | null {
  const { group_headers_sealed, group_step_secrets_sealed, group_timetable } = job;
  const isNone =
    Object.keys(job.handed).length === 0 &&
    !group_headers_sealed &&
    !group_step_secrets_sealed &&
    !group_timetable;
  return isNone ? null : showGroupDefaults(secrets, job);
}
