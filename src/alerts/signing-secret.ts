import { randomBytes } from "node:crypto";
import { findChannel, putChannel } from "#storage/channels.ts";
import { channelSecretContext, openChannelSecret } from "./channel-secret.ts";
import type { Deps } from "./deps.ts";

/** The secret that signs an account's triggers and webhook messages, created when it is first needed. */
export async function signingSecret(deps: Pick<Deps, "db" | "secrets">, accountId: string): Promise<string> {
  const row = await findChannel(deps.db, accountId, "trigger");
  return (row && openChannelSecret(deps, row)) ?? renewSigningSecret(deps, accountId);
}

export async function renewSigningSecret(
  deps: Pick<Deps, "db" | "secrets">,
  accountId: string,
): Promise<string> {
  const secret = makeSecret();
  await putChannel(deps.db, accountId, "trigger", {
    secret_sealed: deps.secrets.seal(secret, channelSecretContext("trigger", accountId)),
  });
  return secret;
}

/** A key without + and / reads the same in base64 and base64url; libraries support only one of them. */
function makeSecret(): string {
  for (;;) {
    const key = randomBytes(24).toString("base64");
    if (!/[+/]/.test(key)) return `whsec_${key}`;
  }
}
