import type { ColumnType, Generated } from "kysely";
import type { ChannelId } from "#contract/channels.ts";
import type { PassedOver } from "#contract/delivery.ts";
import type { JobStatus, Lookup, NotificationKind, Stages, TellFailures, WaitFor } from "#contract/job.ts";
import type { Timetable } from "#contract/timetable.ts";
import type { AlertIf } from "#detection/condition.ts";
import type { Follow, Values } from "#detection/follow.ts";

type Timestamp = ColumnType<Date, Date | undefined, Date>;
type Json<T> = ColumnType<T, string, string>;
type Count = ColumnType<number, number | undefined, number>;

/** What a group hands down to its jobs, as far as it is said. */
export type Handed = {
  selector?: string | null;
  ignore?: string[];
  alertIf?: AlertIf | null;
  tellFailures?: TellFailures | null;
  channels?: ChannelId[] | null;
};

/** The tables of migrations 0010, 0041, 0064 to 0066, 0080 and 0090 on. */
export type JobTables = {
  groups: {
    id: Generated<string>;
    account_id: string;
    name: string;
    timetable: Json<Timetable | null> | null;
    handed: ColumnType<Handed, string | undefined, string>;
    headers_sealed: string | null;
    created_at: Timestamp;
  };
  jobs: {
    id: Generated<string>;
    account_id: string;
    group_id: string;
    name: string;
    url: string;
    host: string;
    status: ColumnType<JobStatus, JobStatus | undefined, JobStatus>;
    frequency_minutes: number;
    headers_sealed: string | null;
    trigger_sealed: string | null;
    request_sealed: string | null;
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
     * Failed checks in a row of one sort, of which sorts their user was told, and how many of them the server answered
     * with an error; null while there are none.
     */
    trouble: Json<{
      sort: keyof TellFailures;
      times: number;
      told: string[];
      answered?: number;
    } | null> | null;
    follow: ColumnType<Follow[], string | undefined, string>;
    target_version: Count;
    rules_at: Timestamp;
    started_at: Date | null;
    asked: Generated<boolean>;
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
  /** A row for each job, made and kept in step by a trigger. */
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
  };
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
    created_at: Timestamp;
    read_at: Date | null;
  };
  events: { account_id: string; number: number; kind: string; data: Json<object>; created_at: Timestamp };
  host_pauses: { host: string; until: Date };
  account_pauses: { account_id: string; host: string; until: Date };
  schedule_state: { id: boolean; ticked_at: Timestamp };
};

export type LogLevel = "info" | "warn" | "error";
