import type { ColumnType, Generated } from "kysely";
import type { BlockKind } from "#contract/page-block.ts";

/** The tables of migration 0260. */
export type PageIndexTables = {
  page_blocks: {
    id: ColumnType<number, never, never>;
    account_id: string;
    hash: Buffer;
    kind: BlockKind;
    text: string;
  };
  page_stays: {
    block_id: number;
    job_id: string;
    first_id: string;
    first_at: Date;
    gone_id: string | null;
    gone_at: Date | null;
  };
  page_index_heads: {
    job_id: string;
    account_id: string;
    digest: Buffer | null;
    done_id: string | null;
    is_live: Generated<boolean>;
  };
};
