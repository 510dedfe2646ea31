import type { ColumnType, Generated } from "kysely";
import type { BlockKind, SearchMode } from "#contract/page-block.ts";
import type { Severity } from "#detection/severity/severity.ts";

type Timestamp = ColumnType<Date, Date | undefined, Date>;

/** The tables of migrations 0260 and 0263. */
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
  search_alerts: {
    id: Generated<string>;
    account_id: string;
    name: string;
    q: string;
    mode: SearchMode;
    kind: BlockKind | null;
    group_ids: string[] | null;
    severity: Severity;
    hides_match: boolean;
    created_at: Timestamp;
  };
  search_alert_hits: {
    alert_id: string;
    execution_id: string;
    lines: number;
    created_at: Timestamp;
  };
};
