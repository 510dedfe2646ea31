import type { Updateable } from "kysely";
import {
  type jobSettings,
  type PlainName,
  type SettingName,
  type SettingValue,
  type SettingValues,
  settingNames,
  settingRow,
} from "#contract/job-settings.ts";
import type { SecretBox } from "./encryption/secret-box.ts";
import type { JobRow } from "./jobs.ts";
import type { Schema } from "./schema.ts";

/** The column of `jobs` that holds a setting. */
export type ColumnOf<Name extends SettingName> = Name extends SettingName
  ? (typeof jobSettings)[Name] extends { store: { column: infer Column extends keyof JobRow } }
    ? Column
    : "settings"
  : never;

export type SettingColumns = Pick<Updateable<Schema["jobs"]>, ColumnOf<SettingName> | "settings">;

/** Reads a job's own setting. */
export function readSetting<Name extends SettingName>(
  secrets: Pick<SecretBox, "open">,
  job: Pick<JobRow, "id" | ColumnOf<NoInfer<Name>>>,
  name: Name,
): SettingValue<Name> {
  const { store, empty } = settingRow(name);
  if (store?.as !== "sealed") return readStored(job, name);
  const sealed = (job as Record<string, unknown>)[store.column];
  const opened = typeof sealed === "string" && secrets.open(sealed, `${store.context}:${job.id}`);
  return (opened ? JSON.parse(opened) : empty) as SettingValue<Name>;
}

/** Reads a job's own setting that isn't sealed. */
export function readPlainSetting<Name extends PlainName>(
  job: Pick<JobRow, ColumnOf<NoInfer<Name>>>,
  name: Name,
): SettingValue<Name> {
  return readStored(job, name);
}

function readStored<Name extends SettingName>(job: object, name: Name): SettingValue<Name> {
  const { store, empty } = settingRow(name);
  const columns = job as Record<string, unknown>;
  const stored = store ? columns[store.column] : (columns.settings as Record<string, unknown>)[name];
  return (stored ?? empty) as SettingValue<Name>;
}

/** All of a job's own settings, with their secrets. */
export function readSettings(secrets: Pick<SecretBox, "open">, job: JobRow): SettingValues {
  const entries = settingNames.map((name) => [name, readSetting(secrets, job, name)]);
  return Object.fromEntries(entries) as SettingValues;
}

/** The columns for the settings that are given; `old` is the job's row if it exists, locked by the caller. */
export function toSettingColumns(
  secrets: Pick<SecretBox, "seal">,
  id: string,
  given: Partial<SettingValues>,
  old?: Pick<JobRow, "settings">,
): SettingColumns {
  const columns: Record<string, unknown> = {};
  const shared: Record<string, unknown> = {};
  for (const name of settingNames) {
    const value = given[name];
    if (value === undefined) continue;
    const { store } = settingRow(name);
    if (!store) shared[name] = isEmpty(value) ? undefined : value;
    else if (store.as === "sealed")
      columns[store.column] = isEmpty(value) ? null : secrets.seal(toJson(value), `${store.context}:${id}`);
    else columns[store.column] = store.as === "json" && value !== null ? toJson(value) : value;
  }
  // Settings of a newer version that runs alongside are kept.
  if (Object.keys(shared).length > 0) columns.settings = JSON.stringify({ ...old?.settings, ...shared });
  return columns as SettingColumns;
}

/** The row as it would be with these settings, except for sealed ones; nothing is stored. */
export function withSettings(job: JobRow, given: Partial<Pick<SettingValues, PlainName>>): JobRow {
  const columns: Record<string, unknown> = { ...job };
  const shared: Record<string, unknown> = { ...job.settings };
  for (const name of settingNames) {
    const value = (given as Partial<SettingValues>)[name];
    const { store } = settingRow(name);
    if (value === undefined || store?.as === "sealed") continue;
    if (store) columns[store.column] = value;
    else shared[name] = value;
  }
  return { ...columns, settings: shared } as JobRow;
}

const toJson = (value: unknown) => JSON.stringify(value);
const isEmpty = (value: unknown) =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);
