import type { ColumnType, Generated } from "kysely";
import type { WaitFor } from "#contract/job.ts";

/** The table of migration 0085. */
export type PreviewTables = {
  previews: {
    id: Generated<string>;
    account_id: string;
    url: string;
    host: string;
    headers_sealed: string | null;
    request_sealed: string | null;
    wait_for: ColumnType<WaitFor | null, string | null, string | null>;
    state: Generated<"queued" | "ready" | "failed">;
    error: string | null;
    content: Buffer | null;
    created_at: ColumnType<Date, Date | undefined, Date>;
  };
};
