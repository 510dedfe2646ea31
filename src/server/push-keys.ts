import { createECDH, hkdfSync } from "node:crypto";

/** The pair of keys that browsers know us by (RFC 8292): the same in every process that has the session secret. */
export function derivePushKeys(secret: string): { publicKey: string; privateKey: string } {
  const ecdh = createECDH("prime256v1");
  for (let salt = 0; ; salt++) {
    const key = Buffer.from(hkdfSync("sha256", secret, String(salt), "web push", 32));
    try {
      ecdh.setPrivateKey(key);
    } catch {
      // Of 2^32 numbers one is none of the curve's.
      continue;
    }
    return { publicKey: ecdh.getPublicKey("base64url"), privateKey: key.toString("base64url") };
  }
}
