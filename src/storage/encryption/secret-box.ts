import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

/** Seals values with AES-256-GCM, bound to a context such as the row they belong to. */
export type SecretBox = {
  seal(plain: string, context: string): string;
  /** Throws when the value was altered, moved to another context, or sealed with a key we no longer have. */
  open(sealed: string, context: string): string;
  /** Identifies the sealing key without revealing it. */
  keyId: string;
  hasKey(keyId: string): boolean;
};

/** The first key seals; all of them open, so that a new key can be put in front of an old one. */
export function createSecretBox(secrets: readonly string[]): SecretBox {
  const keys = secrets.map((secret) => ({
    id: createHash("sha256").update(`id:${secret}`).digest("hex").slice(0, 8),
    key: Buffer.from(hkdfSync("sha256", secret, "", "watchglass data key", 32)),
  }));
  const first = keys[0];
  if (!first) throw new Error("a secret box needs a key");
  return {
    keyId: first.id,
    hasKey: (keyId) => keys.some(({ id }) => id === keyId),
    seal(plain, context) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", first.key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `${first.id}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    open(sealed, context) {
      const [id, encoded = ""] = sealed.split(".");
      const found = keys.find((candidate) => candidate.id === id);
      if (!found) throw new Error("sealed with an unknown key");
      const bytes = Buffer.from(encoded, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", found.key, bytes.subarray(0, 12));
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
    },
  };
}
