import type { ColumnType, Generated } from "kysely";

type Timestamp = ColumnType<Date, Date | undefined, Date>;

/** The tables of migrations 0115 and 0173. */
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
    signature: Buffer | null;
    sent: ColumnType<Partial<Record<AnchorTarget, string>>, string | undefined, string>;
    send_problems: ColumnType<Partial<Record<AnchorTarget, string>>, string | undefined, string>;
    created_at: Timestamp;
  };
  signing_keys: {
    number: number;
    statement: string;
    signature: Buffer;
    endorsement: Buffer | null;
    private_sealed: string;
  };
  seal_origins: { job_id: string; hash: Buffer; account_id: string; evidence: Buffer };
};

/** Where a daily fingerprint can be sent. */
export type AnchorTarget = "mail" | "webhook" | "bucket";
