import type { Database } from "#storage/database.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";

/** What the functions of this room need. */
export type Deps = {
  db: Database;
  secrets: SecretBox;
  /** Why a URL may not be requested, in words; null when it may. */
  refuseTarget: (url: string) => Promise<string | null>;
};
