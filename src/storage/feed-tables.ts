import type { ColumnType, Generated } from "kysely";

/** The table of migration 0101. */
export type FeedTables = {
  feed_addresses: {
    id: Generated<string>;
    account_id: string;
    job_id: string | null;
    group_id: string | null;
    token_hash: Buffer;
    token_sealed: string;
    created_at: ColumnType<Date, Date | undefined, Date>;
  };
};
