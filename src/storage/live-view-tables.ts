import type { ColumnType, Generated } from "kysely";

/** The table of migration 0380. */
export type LiveViewTables = {
  live_views: {
    id: Generated<string>;
    account_id: string;
    /** SHA-256 of the ticket that opens it; null once it was used. */
    ticket: string | null;
    url: string;
    origins: ColumnType<string[], string, never>;
    identity_id: string | null;
    signs_in: boolean;
    open_until: Date | null;
    jar_sealed: string | null;
    created_at: ColumnType<Date, Date | undefined, never>;
  };
};
