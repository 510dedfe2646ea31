import type { ColumnType, Generated } from "kysely";
import type { ReportScope } from "#contract/report.ts";

type Timestamp = ColumnType<Date, Date | undefined, Date>;

/** The tables of migrations 0050 and 0116. */
export type ReportTables = {
  reports: {
    id: Generated<string>;
    account_id: string;
    title: string;
    note: string | null;
    logo: Buffer | null;
    job_ids: string[];
    from_at: Date;
    to_at: Date;
    state: Generated<"queued" | "ready" | "failed">;
    done: Generated<number>;
    total: Generated<number>;
    pdf: Buffer | null;
    html: Buffer | null;
    schedule_id: string | null;
    share_hash: Buffer | null;
    shared_until: Date | null;
    created_at: Timestamp;
  };
  report_schedules: {
    id: Generated<string>;
    account_id: string;
    every: "week" | "month";
    scope: ColumnType<ReportScope, string, string>;
    title: string;
    note: string | null;
    logo: Buffer | null;
    next_at: Date;
    created_at: Timestamp;
  };
};
