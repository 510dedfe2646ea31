import { createECDH, hkdfSync } from "node:crypto";

/** The key pair that browsers know us by (RFC 8292). It is the same in every process that has the session secret. */
export function derivePushKeys(secret: string): { publicKey: string; privateKey: string } {
  const ecdh = createECDH("prime256v1");
  for (let salt = 0; ; salt++) {
    const key = Buffer.from(hkdfSync("sha256", secret, String(salt), "web push", 32));
    try {
      ecdh.setPrivateKey(key);
    } catch {
      // One in 2^32 numbers isn't a valid key of the curve.
      continue;
    }
    return { publicKey: ecdh.getPublicKey("base64url"), privateKey: key.toString("base64url") };
  }
}
