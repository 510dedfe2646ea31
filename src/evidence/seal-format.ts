// What seals, chains and daily seals are made of. The server makes them and the verifier checks them with these
// definitions. This file becomes part of the verifier, so it imports nothing but Node.
import { createHash } from "node:crypto";

/** The statement about an execution that is hashed. */
export type Statement = {
  watchglass: "seal 1" | "seal 2";
  job: string;
  execution: string;
  number: number;
  at: string;
  sealed: string;
  /** The job's name; missing in seals of version 1, like the other fields that say so. */
  name?: string;
  url: string;
  status: number | null;
  changed: boolean;
  severity: string | null;
  similarity: number | null;
  summary: string;
  error: string | null;
  /** Since version 2. */
  truncated?: boolean;
  /** Since version 2. */
  durationMs?: number;
  /** Since version 2. */
  attempts?: number;
  /** Since version 2: where an execution comes from that was not made here. */
  imported?: Imported | null;
  /** The followed values; missing in older seals. */
  values?: Record<string, { text: string | null; number: number | null }> | null;
  parts: Partial<Record<SealedPart, string>>;
  /** How many log lines there were at sealing; later lines are about alerts and triggers. */
  logLines: number;
};
export type SealedPart = "picture" | "html" | "response" | "facts" | "text" | "headers" | "verdict" | "log";
/** When an execution was imported, the SHA-256 of the archive, and where its seal of that time is. */
export type Imported = {
  at: string;
  archive: string;
  /** Null if the archive had no seal of it, so that nothing vouches for what the archive says. */
  origin: { evidence: string; position: number; hash: string } | null;
};
/** A line of chain/seals-*.jsonl. */
export type ChainLine = { position: number; number: number; digest: string; hash: string; kept: boolean };
/** A line of chain/days.jsonl; `hash` is the hash of `statement`. */
export type DayLine = {
  day: string;
  statement: string;
  hash: string;
  stamp: string | null;
  /** The installation's signature of `statement`; missing in older days. */
  signature?: string | null;
  /** Where the installation says that it sent the day's fingerprint; missing in older days. */
  sent?: string[];
};
export type DayStatement = {
  watchglass: "day 1" | "day 2";
  day: string;
  taken: string;
  previous: string | null;
  heads: string[];
  /** The fingerprint of the key that signs the day; since version 2. */
  key?: string;
};
/** A line of chain/keys.jsonl. */
export type KeyLine = {
  statement: string;
  /** By the key itself. */
  signature: string;
  /** By the key before it. Null for the first key, and after the key before it was lost. */
  endorsement: string | null;
};
export type KeyStatement = {
  watchglass: "key 1";
  number: number;
  /** The public key as SPKI in base64. */
  key: string;
  since: string;
  /** The hash of the statement of the key before it. */
  previous: string | null;
};
/** The seals of an imported job as they were where it came from: a file of origins/. */
export type Origin = {
  watchglass: "origin 1";
  job: string;
  chain: ChainLine[];
  /** Each line's statement; null for an execution of which only the digest was left. */
  statements: (string | null)[];
  days: DayLine[];
  keys: KeyLine[];
};

/** The form of exports; those without a number were made before exports were signed. */
export const exportVersion = "export 2";
/** Raise it with every change of the pages and web archives that are derived from records. */
export const viewVersion = 1;
export const signedList = "SHA256SUMS";
export const signatureFile = "SHA256SUMS.sig";
export const keyFile = "installation-key.pem";
export const keysFile = "chain/keys.jsonl";
export const daysFile = "chain/days.jsonl";

/** SHA-256 as hex. */
export const hashText = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** JSON with sorted keys, so that a value has the same text after it was stored in a database. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
export const hashJson = (value: unknown) => hashText(canonicalJson(value));

/** A job's chain begins with the job's own id, so that no chain can be passed off as another job's. */
export const firstLink = (job: string) => hashText(`watchglass chain ${job}`);
export const linkOf = (previous: string, digest: string) => hashText(previous + digest);
/** A job's entry in a daily seal; hashed, so that an export doesn't reveal the ids and positions of other jobs. */
export const leafOf = (job: string, position: number, hash: string) => hashText(`${job} ${position} ${hash}`);
/** A page's text as it is sealed: one line per block. */
export const textOf = ({ text }: { text: { text: string }[] }) => text.map((block) => block.text).join("\n");

/** What an execution's record says of its import. */
const describeImport = (imported: Imported | null | undefined) =>
  imported ? { at: imported.at, archive: imported.archive, sealed: imported.origin !== null } : null;

/** The fields in which an execution's record differs from its seal. */
export function differences(record: Record<string, unknown>, statement: Statement): string[] {
  const pairs: [string, unknown, unknown][] = [
    ["id", record.id, statement.execution],
    ["number", record.index, statement.number],
    ["time", record.createdAt, statement.at],
    ["status", record.status_code, statement.status],
    ["whether it changed", record.changed, statement.changed],
    ["severity", record.severity, statement.severity],
    ["similarity", record.similarity, statement.similarity],
    ["summary", record.summary, statement.summary],
    ["error", record.error, statement.error],
    ["job", record.jobId, statement.job],
    ["whether there is a picture", record.hasImage, statement.parts.picture !== undefined],
    ["import", canonicalJson(record.imported ?? null), canonicalJson(describeImport(statement.imported))],
  ];
  if (statement.watchglass === "seal 2")
    pairs.push(
      ["whether it was cut", record.truncated, statement.truncated],
      ["duration", record.durationMs, statement.durationMs],
      ["number of attempts", record.attempts, statement.attempts],
    );
  if (statement.values !== undefined)
    pairs.push(["followed value", canonicalJson(record.values), canonicalJson(statement.values)]);
  return pairs.filter(([, now, then]) => now !== then).map(([field]) => field);
}

/** The name of an execution's files, without folder and extension. */
export const padNumber = (number: number) => String(number).padStart(6, "0");

/** Says that an execution was imported, wherever one is shown. */
export const sayImport = ({ at, archive, sealed }: { at: string; archive: string; sealed: boolean }) =>
  `Imported on ${at.slice(0, 10)} from an archive with the fingerprint (SHA-256) ${archive}, ${sealed ? "with its seal of that time" : "which had no seal of it: nothing vouches for what it says"}.`;
