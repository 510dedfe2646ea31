import { createHash, randomBytes } from "node:crypto";
import type { Actor } from "#contract/actor.ts";
import { type ApiKey, keyPattern, keyRule, type NewApiKey } from "#contract/api-key.ts";
import { AppError } from "#contract/errors.ts";
import { apiKeyMail } from "#mail/mail-templates.ts";
import { sendMail } from "#mail/send-mail.ts";
import {
  type ApiKeyRow,
  deleteApiKey,
  insertApiKey,
  listApiKeys,
  lockKeysOf,
  useApiKey,
} from "#storage/api-keys.ts";
import type { Scope } from "./api-key-scopes.ts";
import type { Deps } from "./deps.ts";
import { accountOf } from "./session.ts";

/** An actor that calls with an API key. */
export type KeyHolder = Actor & { keyId: string; name: string; scope: Scope };

const hashOf = (key: string) => createHash("sha256").update(key).digest();

/** Creates a key, which can be read only now. Notifies the owner by mail, because a key works without the password. */
export async function createApiKey(
  deps: Deps,
  actor: Actor,
  input: NewApiKey,
): Promise<{ key: string; apiKey: ApiKey }> {
  const account = await accountOf(deps, actor);
  const key = `wg_${randomBytes(32).toString("base64url")}`;
  const row = await deps.db.transaction().execute(async (tx) => {
    if ((await lockKeysOf(tx, actor.accountId)) >= keyRule.perAccount) {
      throw new AppError("CONFLICT", `An account has at most ${keyRule.perAccount} keys. Revoke one first.`);
    }
    const { name, scope } = input;
    const values = {
      account_id: actor.accountId,
      name,
      scope,
      token_hash: hashOf(key),
      hint: key.slice(0, 8),
    };
    await sendMail(deps, tx, { to: account.email, ...apiKeyMail(deps.baseUrl, account.firstname, input) });
    return insertApiKey(tx, values, input.days ?? null);
  });
  return { key, apiKey: describe(row) };
}

export async function readApiKeys(deps: Pick<Deps, "db">, actor: Actor): Promise<{ keys: ApiKey[] }> {
  return { keys: (await listApiKeys(deps.db, actor.accountId)).map(describe) };
}

/** Revokes a key and returns its name. */
export async function revokeApiKey(deps: Pick<Deps, "db">, actor: Actor, keyId: string): Promise<string> {
  const name = await deleteApiKey(deps.db, actor.accountId, keyId);
  if (name === undefined) throw new AppError("NOT_FOUND");
  return name;
}

/** Finds the holder of a key. Refuses a key that is revoked, expired or unknown. */
export async function readApiKey(deps: Pick<Deps, "db">, key: string): Promise<KeyHolder> {
  const row = keyPattern.test(key) ? await useApiKey(deps.db, hashOf(key)) : undefined;
  if (!row)
    throw new AppError(
      "UNAUTHENTICATED",
      "This API key does not work: it was revoked, has expired or is mistyped.",
    );
  return { accountId: row.account_id, keyId: row.id, name: row.name, scope: row.scope };
}

function describe(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    hint: row.hint,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    expired: row.expires_at !== null && row.expires_at.getTime() <= Date.now(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
