import type { ColumnType, Generated } from "kysely";
import type { ChannelId } from "#channels/channel-list.ts";
import type { AlertIf } from "#contract/alert-if.ts";
import type { BulkActionName } from "#contract/bulk-action.ts";
import type { PassedOver } from "#contract/delivery.ts";
import type { JobStatus, Lookup, NotificationKind, Stages, TellFailures, WaitFor } from "#contract/job.ts";
import type { InheritedName, SettingValues, SharedName } from "#contract/job-settings.ts";
import type { StepRun } from "#contract/page-steps.ts";
import type { TroubleKind, WallKind } from "#contract/wall.ts";
import type { Follow, Values } from "#detection/followed-values/followed-values.ts";
import type { Timetable } from "#scheduling/timetable.ts";

/** What a step before a capture did; its picture is a content, by its hash as hex. */
export type StoredStep = Omit<StepRun, "hasPicture"> & { picture: string | null };

type Timestamp = ColumnType<Date, Date | undefined, Date>;
type Json<T> = ColumnType<T, string, string>;
type Count = ColumnType<number, number | undefined, number>;

/** A group's defaults for its jobs, as far as they are set. */
export type StoredDefaults = Partial<Pick<SettingValues, InheritedName>>;

/** What an action on several jobs changed on one of them: its former value, and where it matters the new one. */
export type BulkChange = {
  jobId: string;
  name: string;
  status?: string;
  groupId?: string;
  minutes?: number;
  entry?: string;
  to?: string | number;
};

/** The tables of migrations 0010, 0041, 0064 to 0066, 0080 and 0090 on. */
export type JobTables = {
  groups: {
    id: Generated<string>;
    account_id: string;
    name: string;
    timetable: Json<Timetable | null> | null;
    step_secrets_sealed: string | null;
    handed: ColumnType<StoredDefaults, string | undefined, string>;
    headers_sealed: string | null;
    created_at: Timestamp;
  };
  jobs: {
    id: Generated<string>;
    account_id: string;
    group_id: string;
    name: string;
    /** It was created without a name: the first good capture names it by the page's title. */
    awaits_title: Generated<boolean>;
    url: string;
    host: string;
    /** Something behind a sign-in was captured. */
    signed_in: Generated<boolean>;
    status: ColumnType<JobStatus, JobStatus | undefined, JobStatus>;
    frequency_minutes: number;
    headers_sealed: string | null;
    trigger_sealed: string | null;
    request_sealed: string | null;
    step_secrets_sealed: string | null;
    lookup: Json<Lookup | null> | null;
    selector: string | null;
    wait_for: Json<WaitFor | null> | null;
    awaited: Generated<boolean>;
    ignore: Json<string[]>;
    timetable: Json<Timetable | null> | null;
    alert_if: Json<AlertIf | null> | null;
    channels: Json<ChannelId[] | null> | null;
    tell_failures: Json<TellFailures | null> | null;
    /**
     * Failed checks in a row: their kind, how many there are of it, which kinds were alerted, and how many failures the
     * server answered with an error, and since when it has given no answer; null while there are none.
     */
    trouble: Json<{
      sort: TroubleKind;
      /** What was shown instead of the page, if that is the trouble. */
      wall?: WallKind;
      /** When the checks began to fail like this. */
      from?: string;
      message?: string;
      times: number;
      told: string[];
      answered?: number;
      since?: string;
    } | null> | null;
    follow: ColumnType<Follow[], string | undefined, string>;
    /** The settings that have no column of their own, as far as they are set. */
    settings: ColumnType<Partial<Pick<SettingValues, SharedName>>, string | undefined, string>;
    target_version: Count;
    rules_at: Timestamp;
    started_at: Date | null;
    asked: Generated<boolean>;
    /** When the job is deleted, if that is planned; until then it isn't checked. */
    delete_at: Date | null;
    baseline_id: string | null;
    last_execution_id: string | null;
    last_failed: Generated<boolean>;
    last_ms: Count;
    failures: Count;
    executions: Count;
    changes: Count;
    errors: Count;
    logs: Count;
    created_at: Timestamp;
  };
  /** One row per job, created and kept in sync by a database trigger. */
  schedules: {
    job_id: string;
    account_id: string;
    rhythm_at: Timestamp;
    next_run_at: Timestamp;
    queued_at: Date | null;
    frequency_minutes: number;
    active: boolean;
    /** The job's own, or its group's. */
    timetable: Json<Timetable | null> | null;
  };
  bulk_actions: {
    id: Generated<string>;
    account_id: string;
    action: BulkActionName;
    changes: Json<BulkChange[]>;
    created_at: Timestamp;
    expires_at: Date;
  };
  job_memories: { job_id: string; memory: Json<unknown>; evidence: Json<unknown> };
  executions: {
    id: Generated<string>;
    job_id: string;
    account_id: string;
    number: number;
    created_at: Timestamp;
    status_code: number | null;
    changed: Generated<boolean>;
    folded: Generated<boolean>;
    untold: string | null;
    followed: Json<Values | null> | null;
    failure: string | null;
    error: string | null;
    similarity: number | null;
    severity: string | null;
    summary: string;
    truncated: Generated<boolean>;
    via: string | null;
    duration_ms: number;
    stages: Json<Stages | null> | null;
    attempts: number;
    baseline_id: string | null;
    html: Buffer | null;
    body: Buffer | null;
    facts: Buffer | null;
    picture: Buffer | null;
    passed_over: Json<PassedOver[] | null> | null;
    imported: Json<ImportedFrom | null> | null;
  };
  one_time_codes: { account_id: string; fingerprint: Buffer; period: number };
  execution_steps: { execution_id: string; account_id: string; steps: Json<StoredStep[]> };
  verdicts: { execution_id: string; verdict: Json<unknown>; bytes: Generated<number> };
  job_logs: {
    id: Generated<number>;
    job_id: string;
    execution_id: string | null;
    level: LogLevel;
    meta: string;
    created_at: Timestamp;
  };
  contents: {
    account_id: string;
    hash: Buffer;
    kind: "bytes" | "picture";
    blob: Buffer;
    base: Buffer | null;
    depth: number;
    stored_bytes: number;
    source: Buffer | null;
    refs: Count;
    touched_at: Timestamp;
  };
  account_usage: {
    account_id: string;
    stored_bytes: Count;
    events: Count;
    watched_at: Date | null;
  };
  notifications: {
    id: Generated<string>;
    account_id: string;
    kind: NotificationKind;
    job_id: string | null;
    execution_id: string | null;
    severity: string;
    title: string;
    message: string;
    incident_id: string | null;
    created_at: Timestamp;
    read_at: Date | null;
  };
  events: { account_id: string; number: number; kind: string; data: Json<object>; created_at: Timestamp };
  host_pauses: { host: string; until: Date };
  account_pauses: { account_id: string; host: string; until: Date };
  schedule_state: { id: boolean; ticked_at: Timestamp };
  last_backup: { id: Generated<boolean>; made_at: Timestamp };
};

/** When an execution was imported, the SHA-256 of the archive, and where its seal of that time is. */
export type ImportedFrom = {
  at: string;
  archive: string;
  origin: { evidence: string; position: number; hash: string } | null;
};

export type LogLevel = "info" | "warn" | "error";
