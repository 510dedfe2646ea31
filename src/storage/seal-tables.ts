import type { ColumnType, Generated } from "kysely";

type Timestamp = ColumnType<Date, Date | undefined, Date>;

/** The tables of migration 0115. */
export type SealTables = {
  seals: {
    job_id: string;
    position: number;
    execution_id: string;
    number: number;
    statement: string | null;
    digest: Buffer;
    hash: Buffer;
  };
  seal_heads: {
    job_id: string;
    account_id: string;
    position: Generated<number>;
    hash: Buffer | null;
    joined: Generated<boolean>;
    created_at: Timestamp;
    moved_at: Timestamp;
  };
  seal_days: {
    account_id: string;
    day: string;
    statement: string;
    hash: Buffer;
    jobs: number;
    stamp: Buffer | null;
    stamped_at: Date | null;
    authority: string | null;
    stamp_problem: string | null;
    created_at: Timestamp;
  };
};
