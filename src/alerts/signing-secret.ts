import { randomBytes } from "node:crypto";
import { findChannel, putChannel } from "#storage/channels.ts";
import { channelSecret, sealedFor } from "./channel-secret.ts";
import type { Deps } from "./deps.ts";

/** The secret that an account's triggers are signed with, made when it is first needed. */
export async function signingSecret(deps: Pick<Deps, "db" | "secrets">, accountId: string): Promise<string> {
  const row = await findChannel(deps.db, accountId, "trigger");
  return (row && channelSecret(deps, row)) ?? renewSigningSecret(deps, accountId);
}

export async function renewSigningSecret(
  deps: Pick<Deps, "db" | "secrets">,
  accountId: string,
): Promise<string> {
  const secret = `whsec_${randomBytes(24).toString("base64url")}`;
  await putChannel(deps.db, accountId, "trigger", {
    secret_sealed: deps.secrets.seal(secret, sealedFor("trigger", accountId)),
  });
  return secret;
}
