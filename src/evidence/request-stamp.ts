import { randomBytes } from "node:crypto";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import { childrenOf, readElement } from "./verify/read-der.ts";
import { writeElement } from "./write-der.ts";

type StampResult = { ok: true; token: Buffer; nonce: string } | { ok: false; problem: string };
export type RequestStamp = (hash: Buffer) => Promise<StampResult>;

/** Requests RFC 3161 time stamps for hashes. The caller has to verify the token. */
export function openStamps(http: GuardedFetch, url: string): RequestStamp {
  return async (hash) => {
    // The first bit is cleared: otherwise it would be a negative ASN.1 number.
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
    if (!result.ok) return { ok: false, problem: "We couldn’t reach the time-stamping authority." };
    const { status, body } = result.response;
    if (status !== 200)
      return { ok: false, problem: `The time-stamping authority answered with status ${status}.` };
    const token = readReply(Buffer.from(body));
    return token
      ? { ok: true, token, nonce: nonce.toString("hex") }
      : { ok: false, problem: "The time-stamping authority refused, or its answer isn’t a time stamp." };
  };
}

const sha256Oid = Buffer.from("0609608648016503040201", "hex");

/** TimeStampReq: version, hash to stamp, nonce, and the request to include the certificate. */
function toQuery(hash: Buffer, nonce: Buffer): Buffer {
  const algorithm = writeElement(0x30, sha256Oid, writeElement(0x05));
  return writeElement(
    0x30,
    writeElement(0x02, Buffer.from([1])),
    writeElement(0x30, algorithm, writeElement(0x04, hash)),
    writeElement(0x02, nonce),
    writeElement(0x01, Buffer.from([0xff])),
  );
}

/** TimeStampResp: a status, where 0 and 1 mean granted, then the token. */
function readReply(reply: Buffer): Buffer | undefined {
  try {
    const whole = readElement(reply, 0);
    const [status, token] = childrenOf(whole);
    const number = childrenOf(status)[0]?.bytes;
    const isGranted = whole.tag === 0x30 && number !== undefined && number.readUIntBE(0, number.length) <= 1;
    return isGranted ? token?.raw : undefined;
  } catch {
    return undefined;
  }
}
