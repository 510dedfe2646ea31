import { randomBytes } from "node:crypto";
import type { GuardedFetch } from "#network/guarded-fetch.ts";

export type StampResult = { ok: true; token: Buffer; nonce: string } | { ok: false; problem: string };
export type RequestStamp = (hash: Buffer) => Promise<StampResult>;

/** Asks an RFC 3161 authority to stamp hashes. What it answers is checked by who asked. */
export function openStamps(http: GuardedFetch, url: string): RequestStamp {
  return async (hash) => {
    // Its first bit is not set: as an ASN.1 number it would be negative.
    const nonce = randomBytes(8);
    nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40;
    const result = await http.fetch({
      url,
      purpose: "trigger",
      method: "POST",
      headers: [
        ["content-type", "application/timestamp-query"],
        ["accept", "application/timestamp-reply"],
      ],
      body: toQuery(hash, nonce),
    });
    if (!result.ok) return { ok: false, problem: "The stamp authority could not be reached." };
    const { status, body } = result.response;
    if (status !== 200) return { ok: false, problem: `The stamp authority answered with status ${status}.` };
    const token = readReply(Buffer.from(body));
    return token
      ? { ok: true, token, nonce: nonce.toString("hex") }
      : { ok: false, problem: "The stamp authority refused, or its answer is no stamp." };
  };
}

const sha256Oid = Buffer.from("0609608648016503040201", "hex");

/** TimeStampReq: version, what to stamp, nonce, and that the certificate is wanted. */
function toQuery(hash: Buffer, nonce: Buffer): Buffer {
  const algorithm = wrap(0x30, sha256Oid, wrap(0x05));
  return wrap(
    0x30,
    wrap(0x02, Buffer.from([1])),
    wrap(0x30, algorithm, wrap(0x04, hash)),
    wrap(0x02, nonce),
    wrap(0x01, Buffer.from([0xff])),
  );
}

/** Only for what is shorter than 128 bytes. */
function wrap(tag: number, ...parts: Buffer[]): Buffer {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, bytes.length]), bytes]);
}

/** TimeStampResp: a status, of which 0 and 1 grant, then the token. */
function readReply(reply: Buffer): Buffer | undefined {
  try {
    const whole = contentOf(reply, 0);
    const status = contentOf(reply, whole.start);
    const number = contentOf(reply, status.start);
    if (reply.readUInt8(0) !== 0x30 || reply.readUIntBE(number.start, number.end - number.start) > 1)
      return undefined;
    const token = reply.subarray(status.end, whole.end);
    return token.length > 0 ? token : undefined;
  } catch {
    return undefined;
  }
}

function contentOf(bytes: Buffer, at: number): { start: number; end: number } {
  const first = bytes.readUInt8(at + 1);
  const size = first < 0x80 ? 0 : first - 0x80;
  const length = size === 0 ? first : bytes.readUIntBE(at + 2, size);
  const start = at + 2 + size;
  if (start + length > bytes.length) throw new Error("cut");
  return { start, end: start + length };
}
