import type { Queue } from "#queue/queue.ts";
import type { Database } from "#storage/database.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";

/** What the account functions need. */
export type Deps = {
  db: Database;
  queue: Queue;
  secrets: SecretBox;
  baseUrl: string;
  sessionSecret: string;
  signUpPerHour: number;
};
