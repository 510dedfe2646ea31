import type { ColumnType, Generated } from "kysely";
import type { Scope } from "#accounts/api-key-scopes.ts";

/** The table of migration 0100. */
export type ApiKeyTables = {
  api_keys: {
    id: Generated<string>;
    account_id: string;
    name: string;
    scope: Scope;
    token_hash: Buffer;
    hint: string;
    created_at: ColumnType<Date, Date | undefined, Date>;
    expires_at: Date | null;
    last_used_at: Date | null;
  };
};
