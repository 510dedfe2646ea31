import { constants, createHash, createVerify, X509Certificate } from "node:crypto";
import { childrenOf, type Der, parseDer } from "./read-der.ts";

/** Reads an RFC 3161 token and checks that it stamps this hash. */
export function readStamp(
  token: Uint8Array,
  hash: string,
): { at: string; authority: string; certificate: string; nonce: string | null } | { problem: string } {
  try {
    return checkStamp(Buffer.from(token), hash);
  } catch {
    return { problem: "it cannot be read." };
  }
}

const namesByOid: Record<string, string> = {
  "2a864886f70d010702": "signedData",
  "2a864886f70d0109100104": "tstInfo",
  "2a864886f70d010903": "contentType",
  "2a864886f70d010904": "messageDigest",
  "2a864886f70d010910020c": "signingCertificate",
  "2a864886f70d010910022f": "signingCertificateV2",
  "2a864886f70d01010a": "rsa-pss",
  "2b0e03021a": "sha1",
  "608648016503040201": "sha256",
  "608648016503040202": "sha384",
  "608648016503040203": "sha512",
};
/** The extension that says what a certificate's key is for, marked as critical. */
const criticalKeyUsage = Buffer.from("0603551d250101ff", "hex");
const nameOf = (oid: Der | undefined) => namesByOid[oid?.bytes.toString("hex") ?? ""] ?? "";
const digestOf = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes).digest();

function checkStamp(token: Buffer, hash: string): ReturnType<typeof readStamp> {
  const [message, ...others] = parseDer(token);
  if (others.length > 0) return { problem: "something follows it." };
  const [type, wrapped] = childrenOf(message);
  if (nameOf(type) !== "signedData") return { problem: "it isn't a signed message." };
  const signed = childrenOf(childrenOf(wrapped)[0]);
  const [contentType, content] = childrenOf(signed[2]);
  const info = childrenOf(content)[0]?.bytes;
  if (nameOf(contentType) !== "tstInfo" || !info) return { problem: "it isn't a time stamp." };
  const fields = childrenOf(parseDer(info)[0]);
  const [algorithm, imprint] = childrenOf(fields[2]);
  if (nameOf(childrenOf(algorithm)[0]) !== "sha256" || imprint?.bytes.toString("hex") !== hash)
    return { problem: "it stamps something else." };
  const certificate = findSigner(signed, info);
  if ("problem" in certificate) return certificate;
  const time = fields[4]?.bytes.toString("latin1") ?? "";
  // Date.parse alone would accept words after the time.
  if (!/^\d{14}(\.\d{1,9})?Z$/.test(time)) return { problem: "its time cannot be read." };
  const at = time.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/, "$1-$2-$3T$4:$5:$6");
  const moment = Date.parse(at);
  if (!(moment >= Date.parse(certificate.validFrom) && moment <= Date.parse(certificate.validTo)))
    return { problem: "its certificate was not valid then." };
  const nonce = fields.slice(5).find(({ tag }) => tag === 0x02);
  return {
    at,
    authority: nameAuthority(certificate),
    certificate: createHash("sha256").update(certificate.raw).digest("hex"),
    nonce: nonce?.bytes.toString("hex").replace(/^00(?=[89a-f])/, "") ?? null,
  };
}

/** A certificate may name its owner only in an extension, or nowhere. */
function nameAuthority({ subject, subjectAltName }: X509Certificate): string {
  // Node's types say that there is always a subject, but an empty one is undefined.
  const names = [subject as string | undefined, subjectAltName].map((name) => name?.trim()).filter(Boolean);
  return names[0]?.replaceAll("\n", ", ") ?? "an authority without a name";
}

/** The certificate that signed a token, after checking the signature. */
function findSigner(signed: Der[], info: Buffer): X509Certificate | { problem: string } {
  const certificates = childrenOf(signed.find(({ tag }) => tag === 0xa0)).flatMap(({ raw }) =>
    readCertificate(raw),
  );
  const signer = childrenOf(childrenOf(signed.at(-1))[0]);
  const digestName = nameOf(childrenOf(signer[2])[0]);
  const attributes = signer.find(({ tag }) => tag === 0xa0);
  const signature = signer.filter(({ tag }) => tag === 0x04).at(-1);
  if (!attributes || !signature || !digestName)
    return { problem: "it is not signed in a way that is known." };
  const attribute = (wanted: string) =>
    childrenOf(childrenOf(attributes).find((one) => nameOf(childrenOf(one)[0]) === wanted)).at(1);
  if (nameOf(childrenOf(attribute("contentType"))[0]) !== "tstInfo")
    return { problem: "what is signed isn't a time stamp." };
  const digest = childrenOf(attribute("messageDigest"))[0]?.bytes;
  if (!digest?.equals(digestOf(digestName, info))) return { problem: "its content was altered." };
  const certificate = certificates.find((one) => isSigner(one, attribute));
  if (!certificate) return { problem: "the certificate of its authority is not in it." };
  const scheme = nameOf(childrenOf(signer[signer.indexOf(signature) - 1])[0]);
  const verifier = createVerify(digestName);
  // The attributes are signed as a SET, but stored with a tag of their own.
  verifier.update(Buffer.concat([Buffer.from([0x31]), attributes.raw.subarray(1)]));
  const key =
    scheme === "rsa-pss"
      ? { key: certificate.publicKey, padding: constants.RSA_PKCS1_PSS_PADDING }
      : certificate.publicKey;
  if (!verifier.verify(key, signature.bytes)) return { problem: "its signature isn't valid." };
  // As the standard demands: for nothing else, and marked as critical.
  const isForStamps = certificate.keyUsage?.join() === "1.3.6.1.5.5.7.3.8";
  if (!isForStamps || !certificate.raw.includes(criticalKeyUsage))
    return { problem: "its certificate is not one for time stamps." };
  return certificate;
}

/** Empty for a certificate of another kind, which may be in a token too. */
function readCertificate(raw: Buffer): X509Certificate[] {
  try {
    return [new X509Certificate(raw)];
  } catch {
    return [];
  }
}

/** Whether the signed attributes name this certificate by its hash. */
function isSigner(certificate: X509Certificate, attribute: (name: string) => Der | undefined): boolean {
  const newer = attribute("signingCertificateV2");
  const id = childrenOf(
    childrenOf(childrenOf(childrenOf(newer ?? attribute("signingCertificate"))[0])[0])[0],
  );
  const named = id.find(({ tag }) => tag === 0x04)?.bytes;
  const given = id[0]?.tag === 0x30 ? nameOf(childrenOf(id[0])[0]) : newer ? "sha256" : "sha1";
  return named?.equals(digestOf(given || "sha256", certificate.raw)) ?? false;
}
