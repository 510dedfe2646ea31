import {
  type ComparedSettings,
  comparedNames,
  type GroupName,
  type jobSettings,
  type PlainName,
  type SettingValue,
  settingRow,
} from "#contract/job-settings.ts";
import type { NamedHeader } from "#contract/setting-shapes.ts";
import type { Rules } from "#detection/selectors-and-ignore-rules/rules.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";
import { type ColumnOf, readPlainSetting, readSetting } from "#storage/job-settings.ts";
import type { JobRow } from "#storage/jobs.ts";

/** The settings that a job inherits and that can be read without a key. */
type InheritedName = GroupName & PlainName;
/** The part of a job's row that holds the group's default. */
type GroupColumnOf<Name extends InheritedName> = Name extends InheritedName
  ? (typeof jobSettings)[Name]["group"] extends { column: infer Column extends string }
    ? `group_${Column}` & keyof JobRow
    : "handed"
  : never;
/** The settings that a job can leave out although its group has them. */
type LeavableName = "selector" | "ignore";
type Inheriting<Name extends InheritedName> = Pick<
  JobRow,
  ColumnOf<Name> | GroupColumnOf<Name> | (Name extends LeavableName ? ColumnOf<"notInherited"> : never)
>;

/** The group's default for a setting, or its empty value. */
export function groupDefault<Name extends InheritedName>(
  job: Pick<JobRow, GroupColumnOf<NoInfer<Name>>>,
  name: Name,
): SettingValue<Name> {
  const { group, empty } = settingRow(name);
  const columns = job as Record<string, unknown>;
  const stored = group?.column
    ? columns[`group_${group.column}`]
    : (columns.handed as Record<string, unknown>)[name];
  return (stored ?? empty) as SettingValue<Name>;
}

/** The setting that applies to a job: its own and its group's default, combined as the table of settings says. */
export function inherit<Name extends InheritedName>(
  job: Inheriting<NoInfer<Name>>,
  name: Name,
): SettingValue<Name> {
  const own = readPlainSetting<Name>(job, name);
  const inherited = leaveOut(job, name, groupDefault<Name>(job, name));
  const combine = settingRow(name).group?.combine;
  if (combine === "byPart" && own && inherited)
    return { ...(inherited as object), ...(own as object) } as SettingValue<Name>;
  if (
    name === "selector" &&
    own &&
    inherited &&
    readPlainSetting<"joinsSelector">(job as never, "joinsSelector")
  )
    return [inherited, own].join("\n") as SettingValue<Name>;
  if (combine !== "union") return own ?? inherited;
  return joinLists(own as unknown[], inherited as unknown[]) as SettingValue<Name>;
}

/** The group's default without what the job doesn't inherit. */
function leaveOut<Name extends InheritedName>(
  job: object,
  name: Name,
  inherited: SettingValue<Name>,
): SettingValue<Name> {
  if (name !== "selector" && name !== "ignore") return inherited;
  const except = readPlainSetting<"notInherited">(job as Pick<JobRow, "settings">, "notInherited");
  if (!except) return inherited;
  if (name === "selector") return (except.selector ? null : inherited) as SettingValue<Name>;
  return (inherited as string[]).filter((rule) => !except.ignore.includes(rule)) as SettingValue<Name>;
}

const joinLists = (own: unknown[], inherited: unknown[]) => [
  ...own,
  ...inherited.filter((entry) => !own.includes(entry)),
];

/** The job's own selector, its group's or both, and the ignore rules of both, without what it doesn't inherit. */
export function rulesOf(job: Inheriting<"selector" | "ignore" | "steps" | "compareAs">): Rules {
  return {
    selector: inherit(job, "selector"),
    ignore: inherit(job, "ignore"),
    steps: inherit(job, "steps"),
    compareAs: inherit(job, "compareAs"),
  };
}

const isInherited = (name: PlainName): name is InheritedName => settingRow(name).group !== undefined;

/** All settings that decide what is alerted when two captures differ. */
export function comparedSettings(job: JobRow): ComparedSettings {
  const entries = comparedNames.map((name) => [
    name,
    isInherited(name) ? inherit(job, name) : readPlainSetting(job, name),
  ]);
  return Object.fromEntries(entries) as ComparedSettings;
}

/** The headers that a job's page is requested with: the group's, overridden by the job's own. */
export function headersOf(
  secrets: SecretBox,
  job: Pick<JobRow, "id" | "group_id" | "headers_sealed" | "group_headers_sealed">,
): NamedHeader[] {
  return overrideHeaders(openGroupHeaders(secrets, job), readSetting(secrets, job, "headers"));
}

/** The secrets that a job's steps may type: the group's, overridden by the job's own. */
export function stepSecretsOf(
  secrets: SecretBox,
  job: Pick<JobRow, "id" | "group_id" | "step_secrets_sealed" | "group_step_secrets_sealed">,
): NamedHeader[] {
  return overrideHeaders(openGroupStepSecrets(secrets, job), readSetting(secrets, job, "stepSecrets"));
}

export function overrideHeaders(inherited: NamedHeader[], own: NamedHeader[]): NamedHeader[] {
  const names = new Set(own.map(({ name }) => name.toLowerCase()));
  return [...inherited.filter(({ name }) => !names.has(name.toLowerCase())), ...own];
}

export function openGroupHeaders(
  secrets: SecretBox,
  { group_id, group_headers_sealed }: Pick<JobRow, "group_id" | "group_headers_sealed">,
): NamedHeader[] {
  return group_headers_sealed
    ? JSON.parse(secrets.open(group_headers_sealed, `group-headers:${group_id}`))
    : [];
}

export function openGroupStepSecrets(
  secrets: SecretBox,
  { group_id, group_step_secrets_sealed: sealed }: Pick<JobRow, "group_id" | "group_step_secrets_sealed">,
): NamedHeader[] {
  return sealed ? JSON.parse(secrets.open(sealed, `group-step-secrets:${group_id}`)) : [];
}
