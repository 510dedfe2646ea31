import type { ColumnType, Generated } from "kysely";

/** The table of migration 0050. */
export type ReportTables = {
  reports: {
    id: Generated<string>;
    account_id: string;
    title: string;
    job_ids: string[];
    from_at: Date;
    to_at: Date;
    state: Generated<"queued" | "ready" | "failed">;
    pdf: Buffer | null;
    created_at: ColumnType<Date, Date | undefined, Date>;
  };
};
