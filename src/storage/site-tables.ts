import type { ColumnType, Generated } from "kysely";
import type { CaptureFailure } from "#contract/capture.ts";
import type { NotRequested, SiteRunState, SiteSource } from "#contract/site.ts";

type Timestamp = ColumnType<Date, Date | undefined, Date>;
type Json<T> = ColumnType<T, string | undefined, string>;
type Count = ColumnType<number, number | undefined, number>;

/** What a host's robots.txt asks of us. */
export type StoredRobots = { rules: { allow: boolean; pattern: string }[]; delay: number | null };

/** A sitemap or feed that is still to be read. */
export type SiteListToRead = { address: string; source: "sitemap" | "feed"; nesting: number };

/** The tables of migrations 0280, 0281 and 0330. */
export type SiteTables = {
  site_runs: {
    id: Generated<string>;
    job_id: string;
    account_id: string;
    number: number;
    target_version: number;
    state: ColumnType<SiteRunState, SiteRunState | undefined, SiteRunState>;
    started_at: Timestamp;
    finished_at: Date | null;
    active_ms: Count;
    requested: Count;
    by_browser: Count;
    bytes: Count;
    unanswered: Count;
    failure: ColumnType<CaptureFailure | null, string | undefined, string>;
    notes: Json<Record<string, string>>;
    robots: Json<Record<string, StoredRobots>>;
    lists: Json<SiteListToRead[]>;
    lists_read: Json<string[]>;
    endless: Json<Record<string, string>>;
  };
  site_pages: {
    job_id: string;
    account_id: string;
    identity: string;
    address: string;
    source: SiteSource;
    found_on: string | null;
    depth: number;
    generation: Count;
    family: string | null;
    template: string;
    run: Count;
    rank: number;
    why: NotRequested | null;
    attempts: Count;
    hops: Count;
    first_seen: Timestamp;
    last_seen: Date | null;
    checked_at: Date | null;
    status: number | null;
    failure: string | null;
    title: Generated<string>;
    content_type: Generated<string>;
    bytes: number | null;
    moved_to: string | null;
    script_hosts: Json<string[]>;
    yield: Count;
    skeleton: string | null;
    text_hash: string | null;
    validator: string | null;
  };
  site_hosts: { host: string; next_at: Date };
  site_paces: { host: string; account_id: string; next_at: Date };
  site_usage: { job_id: string; account_id: string; bytes: number };
  site_rules: {
    id: Generated<string>;
    job_id: string;
    account_id: string;
    group_id: string;
    by: "pattern" | "template";
    value: string;
    max_jobs: number;
    sample: "first" | "newest" | "spread";
    frequency_minutes: number;
    problem: string | null;
    created_at: Timestamp;
  };
  site_rule_jobs: {
    rule_id: string;
    identity: string;
    made_job_id: string | null;
    retired_at: Date | null;
  };
};
