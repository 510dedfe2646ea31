import type { GroupSettings, JobUpdate } from "#contract/job.ts";
import { type JobFields, toJobInput } from "../job-form/fields.ts";
import type { JobSection } from "../job-form/sections/job-sections.tsx";

/** How a section's settings relate to the group's defaults; null if the group sets none of them. */
export type Inheritance = "inherited" | "overridden" | "joined" | null;

type GroupSetting = keyof GroupSettings & keyof JobUpdate;

// The contract says this too (`combine` in job-settings.ts), but its schemas do not ship to the browser.
const joinedSettings: readonly string[] = [
  "ignore",
  "headers",
  "browser",
  "secondOpinion",
  "stepSecrets",
] satisfies GroupSetting[];

export function inheritanceOf(
  { saves }: Pick<JobSection, "saves">,
  fields: JobFields,
  inherited: GroupSettings | null,
): Inheritance {
  if (!inherited) return null;
  const given = (Object.keys(inherited) as GroupSetting[]).filter(
    (name) => saves.includes(name) && !isEmpty(inherited[name]),
  );
  if (given.length === 0) return null;
  const own = toJobInput(fields);
  const isLeftOut = saves.includes("notInherited") && own.notInherited !== null;
  if (isLeftOut || given.some((name) => !joinedSettings.includes(name) && !isEmpty(own[name])))
    return "overridden";
  return given.some((name) => !isEmpty(own[name])) ? "joined" : "inherited";
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);
