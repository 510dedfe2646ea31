import { createHash, randomBytes } from "node:crypto";
import { updateAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import type { Deps } from "./deps.ts";

/** The form in which a token is looked up: whoever reads the database learns none. */
export const hashOfToken = (token: string) => createHash("sha256").update(token).digest();

/** Replaces the token that links a chat: the old one is worthless from now on. */
export async function renewBotToken(
  { secrets }: Pick<Deps, "secrets">,
  tx: Database,
  accountId: string,
): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  await updateAccount(tx, accountId, {
    bot_token_sealed: secrets.seal(token, `bot-token:${accountId}`),
    bot_token_hash: hashOfToken(token),
  });
  return token;
}
