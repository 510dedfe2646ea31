import { createHmac, timingSafeEqual } from "node:crypto";

/** Paddle's scheme: `ts=<seconds>;h1=<hex HMAC-SHA256 of "<ts>:<body>">`; several h1 while a secret is rotated. */
const windowSeconds = 300;

function hmac(body: Uint8Array, seconds: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(`${seconds}:`).update(body).digest();
}

export function signBody(body: Uint8Array, secret: string, at: Date): string {
  const seconds = String(Math.floor(at.getTime() / 1000));
  return `ts=${seconds};h1=${hmac(body, seconds, secret).toString("hex")}`;
}

/** Whether the header has a valid signature that was made within 300 s of now. */
export function isSignatureValid(
  body: Uint8Array,
  header: string | undefined,
  secret: string,
  now: Date,
): boolean {
  const parts = (header ?? "").split(";").map((part) => part.trim());
  const times = parts.filter((part) => part.startsWith("ts=")).map((part) => part.slice(3));
  const [seconds = ""] = times;
  if (times.length !== 1 || !/^\d{1,12}$/.test(seconds)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(seconds)) > windowSeconds) return false;
  const expected = hmac(body, seconds, secret);
  return parts
    .filter((part) => /^h1=[0-9a-f]{64}$/i.test(part))
    .some((part) => timingSafeEqual(Buffer.from(part.slice(3), "hex"), expected));
}
