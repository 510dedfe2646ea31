import { ECDH } from "node:crypto";

/**
 * Whether a message can be encrypted for a browser's key: an uncompressed point of the curve P-256 (RFC 8291). Most
 * strings of the right length are no point.
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
