import type { Alert, Digest } from "./alert.ts";
import type { GivenAddress } from "./given-address.ts";
import type { SendFailure, SendResult } from "./retry.ts";

/** For whom a message is: what the account and its row say of where it may go. */
export type Recipient = {
  /** The account's mail address; null until it is confirmed. */
  email: string | null;
  /** What a mail leads to whose reader wants no more of them. */
  unsubscribe: string;
  chatId: number | null;
  /** What its user put in as the address. */
  secret: string | null;
  /** The message's own id, by which one sent twice is known for the same. */
  id: string;
};

/** How much a channel is given: what does not fit waits, and comes as a digest. */
type Limits = {
  /** How often a message is tried before it is given up. */
  attempts: number;
  /** How many messages a recipient gets at most; null where its receiver's own pace is enough. */
  share: { uses: number; windowSeconds: number } | null;
  /** How many characters of its user's own words a message holds; fewer where a picture comes with it. */
  text: number;
  withPicture?: number;
};

/**
 * One way to tell people; its name and plan stand in contract/channels.ts. Each keeps its receiver's pace by itself.
 * Only the channel knows what its addresses are: it opens them and is handed them back.
 */
export type Channel<Address = unknown> = {
  limits: Limits;
  /** Where a recipient's messages go; null where that is not set up. */
  address(recipient: Recipient): Address | null;
  sendAlert(address: Address, alert: Alert): Promise<SendResult>;
  sendDigest(address: Address, digest: Digest): Promise<SendResult>;
};

/** A channel whose address is put in by its user. */
export type GivenChannel = Channel<GivenAddress> & {
  /** Asks whether an address can be used, and for the name that it is shown by. */
  look(address: GivenAddress): Promise<{ ok: true; name: string } | { ok: false; failure: SendFailure }>;
};
