import { createHash, randomBytes } from "node:crypto";
import type { Deps } from "#alerts/deps.ts";
import { updateAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";

/** Tokens are looked up by their hash, so that reading the database reveals none. */
export const hashBotToken = (token: string) => createHash("sha256").update(token).digest();

/** Replaces the token that links a chat; the old one stops working. */
export async function renewBotToken(
  { secrets }: Pick<Deps, "secrets">,
  tx: Database,
  accountId: string,
): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  await updateAccount(tx, accountId, {
    bot_token_sealed: secrets.seal(token, `bot-token:${accountId}`),
    bot_token_hash: hashBotToken(token),
  });
  return token;
}
