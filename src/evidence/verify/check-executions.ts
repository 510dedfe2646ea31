import { hashPixels, pixelLimit } from "#images/pixels.ts";
import { readBarePng } from "#images/read-png.ts";
import {
  type ChainLine,
  differences,
  hashText,
  padNumber,
  type SealedPart,
  type Statement,
} from "../seal-format.ts";
import { describeExecutions, type Findings } from "./findings.ts";
import { type Captured, readFacts, readRecord } from "./read-capture.ts";
import { hasOnlyKeys, isCount, isHash, isTime, parseExactJson } from "./read-json.ts";
import type { Archive } from "./read-zip.ts";

/** Statements by the number of their execution. */
export type Statements = Map<number, Statement>;
export type ExportedRecord = Record<string, unknown> & { seal: { position: number; hash: string } | null };
type FoundParts = Partial<Record<SealedPart, string | Buffer | null>>;

export const partNames: Record<SealedPart, string> = {
  picture: "picture",
  html: "HTML",
  response: "response",
  facts: "file of facts",
  text: "text",
  headers: "list of headers",
  verdict: "verdict",
  log: "log",
};

const recordKeys =
  "id jobId index createdAt status_code changed folded untold values similarity severity summary error truncated hasImage durationMs attempts imported verdict log logGone seal kept".split(
    " ",
  );
const keptKeys = "comparedWith failure via stages followed".split(" ");

const firstStatementKeys =
  "watchglass job execution number at sealed name url status changed severity similarity summary error values parts logLines".split(
    " ",
  );
const statementKeys = [...firstStatementKeys, "truncated", "durationMs", "attempts", "imported"];

/** Whether a statement has the fields of its version and no others, with values of their kinds. */
export const isStatement = (statement: Statement | undefined): statement is Statement =>
  hasOnlyKeys(statement, statement?.watchglass === "seal 1" ? firstStatementKeys : statementKeys) &&
  /^seal [12]$/.test(String(statement.watchglass)) &&
  isTime(statement.at) &&
  isTime(statement.sealed) &&
  typeof statement.url === "string" &&
  isCount(Number(statement.logLines) + 1) &&
  hasOnlyKeys(statement.parts, Object.keys(partNames)) &&
  Object.values(statement.parts).every(isHash) &&
  isImport(statement.imported ?? null);

/** Whether a value says where an execution was imported from; null if it was made here. */
const isImport = (imported: unknown): boolean =>
  imported === null ||
  (hasOnlyKeys(imported, ["at", "archive", "origin"]) &&
    isTime(imported.at) &&
    isHash(imported.archive) &&
    (imported.origin === null ||
      (hasOnlyKeys(imported.origin, ["evidence", "position", "hash"]) &&
        isHash(imported.origin.evidence) &&
        isHash(imported.origin.hash) &&
        isCount(imported.origin.position))));

export const sealName = (number: number) => `executions/${padNumber(number)}.seal`;
export const recordName = (number: number) => `executions/${padNumber(number)}.json`;

/** The statements that are as the chain says. */
export function checkSeals(zip: Archive, jobId: string, lines: ChainLine[], { flag }: Findings): Statements {
  const numbers = new Map(lines.map((line) => [line.digest, line.number]));
  const statements: Statements = new Map();
  for (const line of lines) {
    const seal = zip.read(sealName(line.number));
    if (!seal) {
      if (line.kept) flag("missing", `Execution ${line.number}: its seal is missing.`);
      continue;
    }
    const digest = seal.bytes ? hashText(seal.bytes) : "";
    if (digest !== line.digest) {
      const other = numbers.get(digest);
      flag(
        "altered",
        other === undefined
          ? `Execution ${line.number}: its seal was altered.`
          : `Execution ${line.number}: in its place is execution ${other}; the two were swapped.`,
      );
      continue;
    }
    const statement = parseExactJson<Statement>(seal.bytes);
    if (!isStatement(statement))
      flag("altered", `Execution ${line.number}: its seal is not one that Watchglass writes.`);
    else if (statement.job !== jobId || statement.number !== line.number)
      flag("altered", `Execution ${line.number}: its seal is that of another job or execution.`);
    else if (!line.kept)
      flag(
        "altered",
        `Execution ${line.number}: its seal is there, but the chain says it is no longer stored.`,
      );
    else statements.set(line.number, statement);
  }
  return statements;
}

/** The first execution that has a part with this hash. */
export function ownersOf(statements: Statements): Map<string, number> {
  const owners = new Map<string, number>();
  for (const [number, { parts }] of statements)
    for (const hash of Object.values(parts)) if (!owners.has(hash)) owners.set(hash, number);
  return owners;
}

/** Reads an execution's record, which must be written exactly as Watchglass writes it. */
export function checkRecord(zip: Archive, number: number, findings: Findings): ExportedRecord | undefined {
  const { flag } = findings;
  const record = parseExactJson<ExportedRecord>(zip.read(recordName(number))?.bytes, 2);
  if (!record) flag("missing", `Execution ${number}: its record is missing or cannot be read.`);
  else if (!hasOnlyKeys(record, recordKeys) || (record.kept && !hasOnlyKeys(record.kept, keptKeys)))
    flag("added", `Execution ${number}: its record has fields that no check writes.`);
  return record;
}

type Sealed = { statement: Statement; line: ChainLine; owners: Map<string, number> };

/** Checks an execution's record and parts against its seal; returns how many parts are as sealed. */
export function checkExecution(
  captured: Captured,
  record: ExportedRecord | undefined,
  { statement, line, owners }: Sealed,
  findings: Findings,
): number {
  const { flag, notes } = findings;
  const { number } = statement;
  const wrong = record ? differences(record, statement) : [];
  if (record && (record.seal?.position !== line.position || record.seal.hash !== line.hash))
    wrong.push("position in the chain");
  if (wrong.length > 0)
    flag("altered", `Execution ${number}: its record differs from its seal: ${wrong.join(", ")}.`);
  const found: FoundParts = {
    ...captured.parts,
    ...readFacts(captured.parts.facts),
    ...readRecord(record, statement),
  };
  let intact = 0;
  if (record?.logGone) findings.hasUnsealed = true;
  for (const [part, sealedHash] of Object.entries(statement.parts) as [SealedPart, string][]) {
    const hash = hashPart(part, found[part]);
    const name = `the ${partNames[part]}`;
    if (hash === sealedHash) intact++;
    else if (hash === undefined && part === "log" && record?.logGone)
      notes.push(
        `Execution ${number}: its log is no longer complete, so nothing proves the remaining lines.`,
      );
    else if (hash === undefined) flag("missing", `Execution ${number}: ${name} is missing.`);
    // Text and headers are part of the facts: an altered one is flagged once, under its own name.
    else if (part !== "facts" || !isInnerPartAltered(found, statement)) {
      const owner = owners.get(hash);
      const whose = owner !== undefined && owner !== number ? `: it is that of execution ${owner}` : "";
      flag("altered", `Execution ${number}: ${name} was altered${whose}.`);
    }
  }
  for (const part of Object.keys(found) as SealedPart[])
    if (statement.parts[part] === undefined && part !== "text" && part !== "headers")
      flag("added", `Execution ${number}: the ${partNames[part]} was added: none was sealed.`);
  return intact;
}

/** Undefined for a missing part. */
function hashPart(part: SealedPart, bytes: string | Buffer | null | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  return part === "picture" ? hashPicture(bytes) : bytes === null ? "" : hashText(bytes);
}

/** Hashes a picture's size and pixels, whatever the compression of its file, which may hold nothing else. */
function hashPicture(file: string | Buffer | null): string {
  const pixels = Buffer.isBuffer(file) ? readBarePng(file, pixelLimit) : null;
  return pixels ? hashPixels(pixels).toString("hex") : "";
}

const isInnerPartAltered = (found: FoundParts, { parts }: Statement) =>
  (["text", "headers"] as const).some((part) => {
    const bytes = found[part];
    const isAsSealed = bytes !== undefined && bytes !== null && hashText(bytes) === parts[part];
    return parts[part] !== undefined && !isAsSealed;
  });

/** A check takes minutes at most, so a longer time means that its seal was made later. */
const lateMs = 3_600_000;

/**
 * Compares when executions say that they were made with when they were sealed, and the latter with the order of the
 * chain: an execution that is added later can't claim to be older than those before it.
 */
export function checkTimes(lines: ChainLine[], statements: Statements, { flag, notes }: Findings): void {
  const late: Statement[] = [];
  let newest: Statement | undefined;
  for (const line of lines) {
    const statement = statements.get(line.number);
    if (!statement) continue;
    const { number, at, sealed, imported } = statement;
    const ms = Date.parse(sealed) - Date.parse(at);
    if (newest && Date.parse(sealed) < Date.parse(newest.sealed) - lateMs)
      flag(
        "altered",
        `Execution ${number} says that it was sealed before execution ${newest.number}, which it follows in the chain.`,
      );
    if (newest && newest.watchglass > statement.watchglass)
      flag(
        "altered",
        `Execution ${number} has a seal of an older version than execution ${newest.number}, which it follows in the chain.`,
      );
    if (!newest || sealed > newest.sealed) newest = statement;
    if (!imported && ms < -lateMs)
      flag("altered", `Execution ${number} says that it was made after it was sealed.`);
    else if (!imported && ms > lateMs) late.push(statement);
  }
  if (late.length === 0) return;
  const numbers = late.map(({ number }) => number).sort((a, b) => a - b);
  const last = late
    .map(({ sealed }) => sealed)
    .sort()
    .at(-1);
  notes.push(
    `${describeExecutions(numbers)}: sealed long after the times they give, at the latest on ${last}. Nothing proves when they were made.`,
  );
}
