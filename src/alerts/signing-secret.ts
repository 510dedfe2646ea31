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
  const secret = makeSecret();
  await putChannel(deps.db, accountId, "trigger", {
    secret_sealed: deps.secrets.seal(secret, sealedFor("trigger", accountId)),
  });
  return secret;
}

/** Without + and / it reads the same in both alphabets of base64: libraries know either the one or the other. */
function makeSecret(): string {
  for (;;) {
    const key = randomBytes(24).toString("base64");
    if (!/[+/]/.test(key)) return `whsec_${key}`;
  }
}
