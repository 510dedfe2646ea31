import type { ColumnType, Generated } from "kysely";

type Timestamp = ColumnType<Date, Date | undefined, Date>;

/** The tables of migration 0235. */
export type OpinionTables = {
  opinion_endpoints: {
    account_id: string;
    url: string;
    model: string;
    key_sealed: string | null;
    is_on: boolean;
    max_calls: number;
    max_calls_per_job: number;
    max_tokens: number;
    input_price: number | null;
    output_price: number | null;
    wait_seconds: number;
    form: string | null;
    problem: string | null;
    failed_at: Date | null;
    succeeded_at: Date | null;
    /** Failed requests in a row. */
    failures: Generated<number>;
    /** Until then it isn't asked, because it kept failing. */
    paused_until: Date | null;
  };
  opinion_calls: {
    id: Generated<string>;
    account_id: string;
    job_id: string | null;
    asked_at: Timestamp;
    input_tokens: number;
    output_tokens: number;
    cost: number | null;
  };
  opinion_answers: {
    account_id: string;
    fingerprint: Buffer;
    answer: string | null;
    asked_at: Timestamp;
  };
  opinions: {
    execution_id: string;
    account_id: string;
    wait_until: Date;
    is_awaited: boolean;
    is_settled: Generated<boolean>;
    lowered: Generated<boolean>;
    /** JSON; null until it is settled. */
    opinion: string | null;
  };
};
