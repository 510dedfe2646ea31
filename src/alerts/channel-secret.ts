import type { ChannelRow } from "#storage/channels.ts";
import type { Deps } from "./deps.ts";

/** What a channel's secret is sealed for: moved to another row it cannot be opened. */
export const sealedFor = (kind: ChannelRow["kind"], accountId: string) => `channel-${kind}:${accountId}`;

/** A channel's secret in the clear: the address that was put in, or what triggers are signed with. */
export function channelSecret({ secrets }: Pick<Deps, "secrets">, row: ChannelRow): string | null {
  return row.secret_sealed && secrets.open(row.secret_sealed, sealedFor(row.kind, row.account_id));
}
