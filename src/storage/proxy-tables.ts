import type { ColumnType, Generated } from "kysely";

type Timestamp = ColumnType<Date, Date | undefined, Date>;

/** The proxies of accounts and of the operator. */
export type ProxyTables = {
  proxies: {
    id: Generated<string>;
    /** Null for the operator's proxies, which all accounts may use. */
    account_id: string | null;
    name: string;
    protocol: "http" | "https" | "socks5";
    host: string;
    port: number;
    looks_up_names: Generated<boolean>;
    credentials_sealed: string | null;
    /** A page that answers with the caller's address; null for the operator's. */
    echo_url: string | null;
    created_at: Timestamp;
    succeeded_at: Date | null;
    /** How long the last successful connection took to open. */
    latency_ms: number | null;
    /** The address from which sites see us, as the echo page last said. */
    address: string | null;
    failed_at: Date | null;
    /** What was wrong at the last use; null if it worked. */
    problem: string | null;
  };
};
