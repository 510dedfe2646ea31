import type { GuardedFetch } from "#network/guarded-fetch.ts";
import type { Database } from "#storage/database.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";

/** What the functions of this room need. */
export type Deps = {
  db: Database;
  secrets: SecretBox;
  http: Pick<GuardedFetch, "fetch">;
  /** Why a URL may not be requested, in words; null when it may. */
  refuseTarget: (url: string) => Promise<string | null>;
  /** Whether the operator lets proxies look up names themselves. */
  mayLookUpNames: boolean;
  /** The operator's page that answers with the caller's address, for proxies without their own. */
  echoUrl: string | null;
};
