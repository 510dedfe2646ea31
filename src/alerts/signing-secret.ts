import { randomBytes } from "node:crypto";
import { findChannel, putChannel } from "#storage/channels.ts";
import type { Deps } from "./deps.ts";

const context = (accountId: string) => `channel-trigger:${accountId}`;

/** The secret that an account's triggers are signed with, made when it is first needed. */
export async function signingSecret(deps: Pick<Deps, "db" | "secrets">, accountId: string): Promise<string> {
  const row = await findChannel(deps.db, accountId, "trigger");
  return row?.secret_sealed
    ? deps.secrets.open(row.secret_sealed, context(accountId))
    : renewSigningSecret(deps, accountId);
}

export async function renewSigningSecret(
  deps: Pick<Deps, "db" | "secrets">,
  accountId: string,
): Promise<string> {
  const secret = `whsec_${randomBytes(24).toString("base64url")}`;
  await putChannel(deps.db, accountId, "trigger", {
    secret_sealed: deps.secrets.seal(secret, context(accountId)),
  });
  return secret;
}
