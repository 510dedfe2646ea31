/** What a user entered for a channel: an address, and whatever else the channel needs. */
export type EnteredAddress = {
  url: string;
  /** An access token of the receiver. */
  token?: string;
  room?: string;
  format?: "json" | "form" | "text";
  template?: string;
};

export function packAddress(address: EnteredAddress): string {
  return JSON.stringify(address);
}

/** Earlier versions stored the address alone. */
export function unpackAddress(secret: string): EnteredAddress {
  return secret.startsWith("{") ? (JSON.parse(secret) as EnteredAddress) : { url: secret };
}
