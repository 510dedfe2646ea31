import type { ColumnType, Generated } from "kysely";
import type { WaitFor } from "#contract/job.ts";
import type { SettingValues, SharedName } from "#contract/job-settings.ts";
import type { ProposedProof } from "#contract/preview.ts";

/** The table of migration 0085. */
export type PreviewTables = {
  previews: {
    id: Generated<string>;
    account_id: string;
    url: string;
    host: string;
    headers_sealed: string | null;
    request_sealed: string | null;
    step_secrets_sealed: string | null;
    wait_for: ColumnType<WaitFor | null, string | null, string | null>;
    settings: ColumnType<Partial<Pick<SettingValues, SharedName>>, string | undefined, string>;
    state: Generated<"queued" | "ready" | "failed">;
    error: string | null;
    content: Buffer | null;
    /** What the steps before the capture did, with their pictures. */
    steps: Buffer | null;
    /** Who signs in, if this is the trial of an identity. */
    identity_sealed: string | null;
    /** What could prove that somebody is signed in. */
    proofs: ColumnType<ProposedProof[] | null, string | null | undefined, string | null>;
    created_at: ColumnType<Date, Date | undefined, Date>;
  };
};
