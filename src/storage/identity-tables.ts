import type { ColumnType, Generated } from "kysely";
import type { PageStep } from "#contract/page-steps.ts";
import type { SessionProof } from "#contract/session-proof.ts";

type Json<T> = ColumnType<T, string, string>;

/** The table of migration 0300. */
export type IdentityTables = {
  identities: {
    id: Generated<string>;
    account_id: string;
    name: string;
    url: string;
    origins: Json<string[]>;
    steps: Json<PageStep[]>;
    proof: Json<SessionProof>;
    secrets_sealed: string | null;
    jar_sealed: string | null;
    jar_saved_at: Date | null;
    /** A sketch of the text of the page where signing in begins. */
    sign_in_sketch: ColumnType<number[] | null, string | null | undefined, string | null>;
    state: ColumnType<IdentityState, IdentityState | undefined, IdentityState>;
    /** Why it is signed out, as a sentence. */
    problem: string | null;
    signed_in_at: Date | null;
    signed_out_at: Date | null;
    created_at: ColumnType<Date, Date | undefined, Date>;
    lease: string | null;
    leased_until: Date | null;
  };
};

/** "new": nobody knows yet whether the session works, so that the next check signs in if it doesn't. */
type IdentityState = "new" | "signed-in" | "signed-out";
