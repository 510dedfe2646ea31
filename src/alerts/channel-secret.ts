import type { ChannelRow } from "#storage/channels.ts";
import type { Deps } from "./deps.ts";

/** Encryption context of a channel's secret: a secret copied to another row can't be decrypted. */
export const channelSecretContext = (kind: ChannelRow["kind"], accountId: string) =>
  `channel-${kind}:${accountId}`;

/** Decrypts a channel's secret: the address that the user entered, or the key that signs triggers. */
export function openChannelSecret({ secrets }: Pick<Deps, "secrets">, row: ChannelRow): string | null {
  return row.secret_sealed && secrets.open(row.secret_sealed, channelSecretContext(row.kind, row.account_id));
}
