import type { Alert, Digest } from "#message-templates/alert.ts";
import type { EnteredAddress } from "./entered-address.ts";
import type { SendFailure, SendResult } from "./retry.ts";

/** A message's recipient: where the account and its channel row allow messages to go. */
export type Recipient = {
  /** The account's mail address; null until it is confirmed. */
  email: string | null;
  /** The unsubscribe link for mails. */
  unsubscribe: string;
  chatId: number | null;
  /** The address that the user entered. */
  secret: string | null;
  /** The account's secret for signatures, if the channel signs its messages. */
  signingSecret: string | null;
  /** The message's id; a message that is sent twice is recognized by it. */
  id: string;
};

/** How much a channel may send; messages beyond that wait and are sent as a digest. */
type Limits = {
  /** How often sending is attempted before a message is given up. */
  attempts: number;
  /** The most messages that a recipient gets; null if the receiver's own rate limit is enough. */
  share: { uses: number; windowSeconds: number } | null;
  /** How many characters of the user's own text fit into a message; fewer if it has a picture. */
  text: number;
  withPicture?: number;
};

/**
 * A way to send messages; its name and plan are in channels/channel-list.ts. Each channel respects its receiver's rate
 * limit. Only the channel knows the form of its addresses: callers pass back what `address` returned.
 */
export type Channel<Address = unknown> = {
  limits: Limits;
  /** The address for a recipient's messages; null if the channel is not set up. */
  address(recipient: Recipient): Address | null;
  sendAlert(address: Address, alert: Alert): Promise<SendResult>;
  /** Replaces an alert that was sent before; absent if the receiver has no such thing, as Slack's webhooks. */
  editAlert?(address: Address, ref: string, alert: Alert): Promise<SendResult>;
  sendDigest(address: Address, digest: Digest): Promise<SendResult>;
};

/** A channel whose address the user enters. */
export type GivenChannel = Channel<EnteredAddress> & {
  /** Checks whether an address can be used, and returns its display name. */
  look(address: EnteredAddress): Promise<{ ok: true; name: string } | { ok: false; failure: SendFailure }>;
};
