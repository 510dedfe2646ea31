import { createPublicKey, type KeyObject, verify } from "node:crypto";
import {
  hashText,
  type KeyLine,
  type KeyStatement,
  keyFile,
  signatureFile,
  signedList,
} from "../seal-format.ts";
import type { Findings } from "./findings.ts";
import { hasOnlyKeys, isCount, isTime, parseExactJson } from "./read-json.ts";
import type { Archive } from "./read-zip.ts";

/** A key of the installation; `fingerprint` is the SHA-256 of its public part. */
export type InstallationKey = {
  number: number;
  fingerprint: string;
  since: string;
  key: KeyObject;
  /** Whether the key before it was lost, so that trust in older keys doesn't carry over. */
  isFresh: boolean;
};

const keyLineKeys = ["statement", "signature", "endorsement"];
const keyStatementKeys = ["watchglass", "number", "key", "since", "previous"];

/** Whether the signature (base64) of a text is that of a key. */
export const isSignedBy = (key: KeyObject, text: string | Uint8Array, signature: string) =>
  verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));

/** The keys of an installation, oldest first, each of which must be endorsed by the one before it. */
export function checkKeys(lines: (KeyLine | undefined)[], { flag, notes }: Findings): InstallationKey[] {
  const keys: InstallationKey[] = [];
  let previous: string | null = null;
  for (const line of lines) {
    const statement = readKeyStatement(line);
    const key = statement && readKey(statement.key);
    if (!line || !statement || !key || !isSignedBy(key, line.statement, line.signature)) {
      flag("altered", "A line of chain/keys.jsonl cannot be read, or is not signed by its own key.");
      return keys;
    }
    const { number, since } = statement;
    const before: InstallationKey | undefined = keys.at(-1);
    if (before && (number !== before.number + 1 || statement.previous !== previous))
      flag("altered", `Key ${number} of the installation does not follow key ${before.number}.`);
    if (before && line.endorsement === null)
      notes.push(
        `Key ${number} of the installation was not signed by key ${before.number}, which was lost: trust in the older key does not carry over.`,
      );
    else if (before && !isSignedBy(before.key, line.statement, line.endorsement ?? ""))
      flag("altered", `Key ${number} of the installation was not signed by key ${before.number}.`);
    if (before && Date.parse(since) < Date.parse(before.since))
      flag("altered", `Key ${number} of the installation says that it is older than key ${before.number}.`);
    keys.push({
      number,
      since,
      key,
      fingerprint: hashText(Buffer.from(statement.key, "base64")),
      isFresh: line.endorsement === null,
    });
    previous = hashText(line.statement);
  }
  return keys;
}

function readKeyStatement(line: KeyLine | undefined): KeyStatement | undefined {
  if (!hasOnlyKeys(line, keyLineKeys) || typeof line.statement !== "string") return undefined;
  if (typeof line.signature !== "string") return undefined;
  if (line.endorsement !== null && typeof line.endorsement !== "string") return undefined;
  const statement = parseExactJson<KeyStatement>(line.statement);
  return hasOnlyKeys(statement, keyStatementKeys) &&
    statement.watchglass === "key 1" &&
    isCount(statement.number) &&
    isTime(statement.since) &&
    typeof statement.key === "string"
    ? (statement as KeyStatement)
    : undefined;
}

function readKey(spki: string): KeyObject | undefined {
  try {
    const der = Buffer.from(spki, "base64");
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    const isWhole = key.export({ format: "der", type: "spki" }).equals(der);
    return isWhole && key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    return undefined;
  }
}

/** These can't be in the signed list: the list itself, its signature, and what describes both in a web archive. */
const unlisted = new Set([signedList, signatureFile, "datapackage.json", "datapackage-digest.json"]);

/** Checks the list of all files, with the SHA-256 of each, and its signature. */
export function checkSignature(
  zip: Archive,
  keys: InstallationKey[],
  known: string | undefined,
  { flag, notes, problems }: Findings,
): void {
  const list = zip.read(signedList)?.bytes;
  const signature = zip.read(signatureFile)?.bytes;
  const signer = keys.at(-1);
  if (!list || !signature || !signer)
    return flag("missing", "This export must be signed, but its signature or its key was removed.");
  if (signature.length !== 64 || !verify(null, list, signer.key, signature))
    return flag("altered", "The list of files, SHA256SUMS, is not signed by the key of this installation.");
  if (zip.read(keyFile)?.bytes?.toString() !== signer.key.export({ format: "pem", type: "spki" }))
    flag("altered", `${keyFile} is not the key that signed this export.`);
  const listed = new Map(
    list
      .toString()
      .split("\n")
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  const names = zip.names.filter((name) => !unlisted.has(name));
  const reported = new Set(problems.flatMap(({ text }) => /^Execution (\d+):/.exec(text)?.[1] ?? []));
  for (const name of names) {
    const number = /^(?:executions|archive)\/0*(\d+)/.exec(name)?.[1] ?? "";
    if (!listed.has(name)) flag("added", `${name} is not in the signed list of files.`);
    else if (listed.get(name) !== zip.hash(name) && !reported.has(number))
      flag("altered", `${name} is not the file that was signed.`);
    listed.delete(name);
  }
  listed.delete("");
  for (const name of listed.keys()) {
    const number = /^(?:executions|archive)\/0*(\d+)/.exec(name)?.[1] ?? "";
    if (!reported.has(number))
      flag("missing", `${name} is in the signed list of files, but not in the export.`);
  }
  const exact = names.map((name) => `${zip.hash(name)}  ${name}\n`).join("");
  if (problems.length === 0 && list.toString() !== exact)
    flag("altered", "The signed list isn't in the same order as the files.");
  checkKnownKey(keys, signer, known, { flag, notes });
}

function checkKnownKey(
  keys: InstallationKey[],
  signer: InstallationKey,
  known: string | undefined,
  { flag, notes }: Pick<Findings, "flag" | "notes">,
): void {
  const signed = `Signed by key ${signer.number} of the installation, ${signer.fingerprint}, in use since ${signer.since}.`;
  if (!known)
    return void notes.push(`${signed} Compare it with a fingerprint that you have from elsewhere (--key).`);
  const given = keys.find(({ fingerprint }) => fingerprint === known.toLowerCase());
  const isLost = given && keys.slice(keys.indexOf(given) + 1).some(({ isFresh }) => isFresh);
  if (!given || isLost)
    return flag("altered", "The export is not signed by the key you gave, nor by one that follows it.");
  notes.push(
    `${signed} ${given === signer ? "It is the key you gave." : `The key you gave is key ${given.number}, from which it follows.`}`,
  );
}
