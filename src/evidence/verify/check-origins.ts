import {
  canonicalJson,
  hashText,
  type Imported,
  type Origin,
  type SealedPart,
  type Statement,
} from "../seal-format.ts";
import { checkLinks, isChainLine, leavesOf } from "./check-chain.ts";
import { checkDays } from "./check-days.ts";
import { isStatement, partNames, type Statements } from "./check-executions.ts";
import { checkKeys } from "./check-keys.ts";
import { describeExecutions, type Findings, quoteText, startFindings } from "./findings.ts";
import { hasOnlyKeys, parseExactJson } from "./read-json.ts";
import type { Archive } from "./read-zip.ts";

/** What is known of an origin after it was checked: its seals by their place in its chain. */
type CheckedOrigin = {
  seals: Map<number, { hash: string; statement: Statement }>;
  findings: Findings;
  witness: string;
};
const originKeys = ["watchglass", "job", "chain", "statements", "days", "keys"];

export const isOriginFile = (name: string) => /^origins\/\d{6}\.json$/.test(name);

/** Checks the seals that came with an import, by themselves. */
export function checkOrigin(text: Uint8Array | string): CheckedOrigin | undefined {
  const origin = parseExactJson<Origin>(text);
  if (!hasOnlyKeys(origin, originKeys) || origin.watchglass !== "origin 1") return undefined;
  const { job, chain, statements, days, keys } = origin as unknown as Origin;
  if (![chain, statements, days, keys].every(Array.isArray) || !chain.every(isChainLine)) return undefined;
  const isTextOrNull = (statement: unknown) => statement === null || typeof statement === "string";
  if (typeof job !== "string" || !statements.every(isTextOrNull)) return undefined;
  const findings = startFindings();
  checkLinks(job, chain, findings);
  const byPlace = new Map<number, Statement>();
  for (const [at, line] of chain.entries()) {
    const statement = statements[at] ?? null;
    if (statement === null) continue;
    const sealed = hashText(statement) === line.digest ? parseExactJson<Statement>(statement) : undefined;
    if (isStatement(sealed) && sealed.job === job && sealed.number === line.number)
      byPlace.set(line.position, sealed);
    else findings.flag("altered", `Execution ${line.number}: its seal was altered.`);
  }
  if (statements.length !== chain.length)
    findings.flag("altered", "The number of its seals differs from that of its chain.");
  const inner = checkKeys(keys, findings);
  const checked = checkDays(
    days,
    { leaves: leavesOf(job, chain), statements: byPlace, keys: inner },
    findings,
  );
  const vouched = [...checked.stamps.values()].map(
    ({ by, when, place }) =>
      `${by} proves that they existed ${when}, up to position ${place} of the chain they come from`,
  );
  const witness = vouched.join(", and ") || "nothing outside this archive proves when they were made";
  const seals: CheckedOrigin["seals"] = new Map();
  for (const { position, hash } of chain) {
    const statement = byPlace.get(position);
    if (statement) seals.set(position, { hash, statement });
  }
  return { seals, findings, witness };
}

type NamedOrigin = CheckedOrigin & { name: string };

/** The seal that an execution had before it was imported, which must say the same; undefined if there is none. */
function findPastSeal(
  statement: Statement,
  origins: Map<string, NamedOrigin>,
  where: string,
  { flag }: Pick<Findings, "flag">,
): Statement | undefined {
  const { imported, number } = statement;
  if (!imported?.origin) return undefined;
  const found = origins.get(imported.origin.evidence);
  if (!found) {
    flag("missing", `${where}Execution ${number}: the seals that came with its import are missing.`);
    return undefined;
  }
  const past = found.seals.get(imported.origin.position);
  if (past?.hash !== imported.origin.hash) {
    flag("missing", `${where}Execution ${number}: its seal from before the import is missing.`);
    return undefined;
  }
  const wrong = compareSeals(statement, past.statement);
  if (wrong.length > 0)
    flag(
      "altered",
      `${where}Execution ${number} differs from its seal from before the import: ${wrong.join(", ")}.`,
    );
  return past.statement;
}

/** Checks the imported executions against the seals that came with them, and says where they come from. */
export function checkImports(zip: Archive, statements: Statements, { flag, notes }: Findings): void {
  const origins = new Map<string, NamedOrigin>();
  for (const name of zip.names.filter(isOriginFile)) {
    const bytes = zip.read(name)?.bytes;
    const checked = bytes && checkOrigin(bytes);
    if (!checked) {
      flag("altered", `${name} cannot be read.`);
      continue;
    }
    origins.set(hashText(bytes), { ...checked, name });
    for (const { problem, text } of checked.findings.problems) flag(problem, `${name}: ${text}`);
  }
  const groups = new Map<string, { imported: Imported; numbers: number[] }>();
  const rewritten: number[] = [];
  const others = new Map<string, number[]>();
  for (const statement of statements.values()) {
    const { imported, number } = statement;
    if (!imported) continue;
    const key = canonicalJson([imported.at, imported.archive, imported.origin?.evidence ?? null]);
    const group = groups.get(key) ?? { imported, numbers: [] };
    groups.set(key, group);
    group.numbers.push(number);
    const past = findPastSeal(statement, origins, "", { flag });
    if (!past) continue;
    if (changeableParts.some((part) => past.parts[part] !== statement.parts[part])) rewritten.push(number);
    const { url } = past;
    if (url !== statement.url) others.set(url, [...(others.get(url) ?? []), number]);
  }
  const named = new Set([...groups.values()].map(({ imported }) => imported.origin?.evidence));
  // What was imported may have been imported before, into where it came from.
  for (const { name, seals } of origins.values()) {
    for (const { statement } of seals.values()) {
      findPastSeal(statement, origins, `${name}: `, { flag });
      named.add(statement.imported?.origin?.evidence);
    }
  }
  for (const [hash, { name }] of origins)
    if (!named.has(hash))
      notes.push(`${name}: no execution in this export says that it came with these seals.`);
  if (rewritten.length > 0)
    notes.push(
      `${describeExecutions(rewritten)}: the import shortened or rewrote the file of facts, the verdict or the log, so only the picture, HTML, response, text and headers are the original ones.`,
    );
  for (const [url, numbers] of others)
    notes.push(`${describeExecutions(numbers)}: before the import, the job had the URL ${quoteText(url)}.`);
  for (const { imported, numbers } of groups.values()) {
    const from = `imported on ${imported.at} from an archive with the fingerprint (SHA-256) ${imported.archive}`;
    const witness = imported.origin && origins.get(imported.origin.evidence)?.witness;
    notes.push(
      imported.origin
        ? `${describeExecutions(numbers)}: ${from}. Their seals of that time came with them; ${witness ?? "they are missing"}.`
        : `${describeExecutions(numbers)}: ${from}, which had no seals for them. Nothing proves what they say about the time before the import.`,
    );
  }
}

/** An import restores facts, and may shorten a verdict and a log; everything else stays as it was sealed. */
const sameParts: SealedPart[] = ["picture", "html", "response", "text", "headers"];
const changeableParts: SealedPart[] = ["facts", "verdict", "log"];
const sameFields =
  "number at status changed severity similarity summary error truncated durationMs attempts values".split(
    " ",
  ) as (keyof Statement)[];

/** What an execution's seal says otherwise than the one of before its import; seals of version 1 say less. */
function compareSeals(statement: Statement, past: Statement): string[] {
  const isOther = (field: keyof Statement) =>
    past[field] !== undefined && canonicalJson(past[field]) !== canonicalJson(statement[field]);
  return [
    ...sameFields.filter(isOther),
    ...sameParts.filter((part) => past.parts[part] !== statement.parts[part]).map((part) => partNames[part]),
  ];
}
