/** What a user put in for a channel: an address, and what else that channel asks for. */
export type GivenAddress = {
  url: string;
  /** A password of the receiver's own. */
  token?: string;
  room?: string;
  format?: "json" | "form" | "text";
  template?: string;
};

export function packAddress(address: GivenAddress): string {
  return JSON.stringify(address);
}

/** Those kept by earlier versions are the address alone. */
export function unpackAddress(secret: string): GivenAddress {
  return secret.startsWith("{") ? (JSON.parse(secret) as GivenAddress) : { url: secret };
}
