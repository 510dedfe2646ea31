import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { Database } from "#storage/database.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";
import { hashText, type KeyLine, type KeyStatement } from "./seal-format.ts";
import { insertSigningKey, listSigningKeys, lockSigningKeys, type SigningKeyRow } from "./seal-rows.ts";

/** The installation's key (Ed25519), and the chain of all keys that it has had. */
export type SigningKey = {
  number: number;
  /** The SHA-256 of the public part, by which people compare it. */
  fingerprint: string;
  /** The public part, as PEM. */
  pem: string;
  lines: KeyLine[];
  sign(text: string | Uint8Array): Buffer;
};
type KeyDeps = { db: Database; secrets: SecretBox };

const contextOf = (number: number) => `signing key ${number}`;
const spkiOf = (key: KeyObject) => createPublicKey(key).export({ format: "der", type: "spki" });

/** Opens the newest signing key; makes the first one, and another one if the newest can't be decrypted any more. */
export async function openSigningKey({ db, secrets }: KeyDeps): Promise<SigningKey> {
  const rows = await listSigningKeys(db);
  const key = openNewest(secrets, rows);
  return key ? toSigningKey(key, rows) : makeKey({ db, secrets }, (newest) => newest === undefined);
}

/** Replaces the signing key by a new one, which the old one endorses. */
export async function rotateSigningKey(deps: KeyDeps): Promise<SigningKey> {
  await openSigningKey(deps);
  return makeKey(deps, () => true);
}

/** Makes a key if it is still wanted once no other process can make one; otherwise returns the newest. */
async function makeKey(
  { db, secrets }: KeyDeps,
  isWanted: (newest: KeyObject | undefined) => boolean,
): Promise<SigningKey> {
  return db.transaction().execute(async (tx) => {
    await lockSigningKeys(tx);
    const rows = await listSigningKeys(tx);
    const newest = openNewest(secrets, rows);
    if (newest && !isWanted(newest)) return toSigningKey(newest, rows);
    const { privateKey } = generateKeyPairSync("ed25519");
    const previous = rows.at(-1);
    const number = (previous?.number ?? 0) + 1;
    const content: KeyStatement = {
      watchglass: "key 1",
      number,
      key: spkiOf(privateKey).toString("base64"),
      since: new Date().toISOString(),
      previous: previous ? hashText(previous.statement) : null,
    };
    const statement = JSON.stringify(content);
    const row: SigningKeyRow = {
      number,
      statement,
      signature: sign(null, Buffer.from(statement), privateKey),
      endorsement: newest ? sign(null, Buffer.from(statement), newest) : null,
      private_sealed: secrets.seal(
        privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
        contextOf(number),
      ),
    };
    await insertSigningKey(tx, row);
    return toSigningKey(privateKey, [...rows, row]);
  });
}

/** Undefined if there is no key, or if it was encrypted with a data key that is lost. */
function openNewest(secrets: SecretBox, rows: SigningKeyRow[]): KeyObject | undefined {
  const newest = rows.at(-1);
  if (!newest) return undefined;
  try {
    const der = Buffer.from(secrets.open(newest.private_sealed, contextOf(newest.number)), "base64");
    return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  } catch {
    return undefined;
  }
}

function toSigningKey(privateKey: KeyObject, rows: SigningKeyRow[]): SigningKey {
  return {
    number: rows.at(-1)?.number ?? 1,
    fingerprint: hashText(spkiOf(privateKey)),
    pem: createPublicKey(privateKey).export({ format: "pem", type: "spki" }).toString(),
    lines: rows.map(({ statement, signature, endorsement }) => ({
      statement,
      signature: signature.toString("base64"),
      endorsement: endorsement?.toString("base64") ?? null,
    })),
    sign: (text) => sign(null, Buffer.from(text), privateKey),
  };
}
