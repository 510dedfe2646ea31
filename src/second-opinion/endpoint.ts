import type { SecretBox } from "#storage/encryption/secret-box.ts";
import type { OpinionEndpointRow } from "#storage/opinions.ts";

/** What a request to a model needs, from the settings of an account or from a command line. */
export type Endpoint = { url: string; model: string; key: string | null };

const path = "/chat/completions";

/** The address of the chat completions; users enter the part before it, as other tools ask for, or all of it. */
export function completionsUrl(entered: string): string {
  const url = new URL(entered);
  url.hash = "";
  const base = url.pathname.replace(/(?<!\/)\/+$/, "");
  url.pathname = base.endsWith(path) ? base : base + path;
  return url.href;
}

const sealContext = (accountId: string) => `opinion-key:${accountId}`;

export const sealKey = (secrets: SecretBox, accountId: string, key: string): string =>
  secrets.seal(key, sealContext(accountId));

export function openKey(
  secrets: SecretBox,
  { account_id, key_sealed }: Pick<OpinionEndpointRow, "account_id" | "key_sealed">,
): string | null {
  return key_sealed === null ? null : secrets.open(key_sealed, sealContext(account_id));
}
