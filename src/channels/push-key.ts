import { ECDH } from "node:crypto";

/**
 * Whether a browser's key can be used for encryption: it must be an uncompressed point on the curve P-256 (RFC 8291).
 * Most strings of the right length are not.
 */
export function isPushKey(p256dh: string): boolean {
  const key = Buffer.from(p256dh, "base64url");
  if (key.length !== 65 || key[0] !== 4) return false;
  try {
    ECDH.convertKey(key, "prime256v1");
    return true;
  } catch {
    return false;
  }
}
