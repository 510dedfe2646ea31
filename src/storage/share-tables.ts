import type { ColumnType, Generated } from "kysely";

/** The table of migration 0040. */
export type ShareTables = {
  shares: {
    id: Generated<string>;
    account_id: string;
    job_id: string;
    before_id: string | null;
    after_id: string;
    token_hash: Buffer;
    comparison: ColumnType<unknown, string | null, string | null>;
    created_at: ColumnType<Date, Date | undefined, Date>;
    expires_at: Date;
  };
};
