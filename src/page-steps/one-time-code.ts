import { createHmac } from "node:crypto";

/** What a one-time code is made of (RFC 6238). */
export type CodeKey = {
  key: Buffer;
  algorithm: "sha1" | "sha256" | "sha512";
  digits: number;
  periodSeconds: number;
};

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const leastKeyBytes = 8;

/** Reads a key as sites show it: letters and digits (Base32), or the otpauth URL of their QR code; null if it is neither. */
export function readCodeKey(text: string): CodeKey | null {
  const url = /^otpauth:\/\/totp\//i.test(text.trim()) ? URL.parse(text.trim()) : null;
  const parameter = (name: string) => url?.searchParams.get(name) ?? "";
  const key = decodeBase32(url ? parameter("secret") : text);
  const algorithm = (parameter("algorithm") || "sha1").toLowerCase().replace("-", "");
  const digits = Number(parameter("digits") || 6);
  const periodSeconds = Number(parameter("period") || 30);
  const isKnown = algorithm === "sha1" || algorithm === "sha256" || algorithm === "sha512";
  const isUsual = [6, 7, 8].includes(digits) && periodSeconds >= 15 && periodSeconds <= 60;
  return key && isKnown && isUsual ? { key, algorithm, digits, periodSeconds } : null;
}

function decodeBase32(text: string): Buffer | null {
  const letters = text.toUpperCase().replace(/[\s=-]/g, "");
  if (!/^[A-Z2-7]+$/.test(letters)) return null;
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  for (const letter of letters) {
    held = ((held << 5) | alphabet.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return bytes.length >= leastKeyBytes ? Buffer.from(bytes) : null;
}

/** The number of the period in which a code is valid. */
export const periodOf = ({ periodSeconds }: CodeKey, at: number) => Math.floor(at / 1000 / periodSeconds);

/** The code of a period. */
export function codeOf({ key, algorithm, digits }: CodeKey, period: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(period));
  const mac = createHmac(algorithm, key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}
