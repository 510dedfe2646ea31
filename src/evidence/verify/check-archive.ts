import { dosTime } from "#zip/zip-records.ts";
import {
  type ChainLine,
  type DayLine,
  daysFile,
  exportVersion,
  type KeyLine,
  keyFile,
  keysFile,
  type Statement,
  signatureFile,
  signedList,
} from "../seal-format.ts";
import { checkEnd, checkLinks, leavesOf, readChain } from "./check-chain.ts";
import { type CheckedDays, checkDays, clockMs, type Witness } from "./check-days.ts";
import {
  checkDerived,
  type ExportedJob,
  hasLaterView,
  isPageName,
  type Shown,
  waczFiles,
} from "./check-derived.ts";
import {
  checkExecution,
  checkRecord,
  checkSeals,
  checkTimes,
  ownersOf,
  recordName,
  type Statements,
  sealName,
} from "./check-executions.ts";
import { checkKeys, checkSignature } from "./check-keys.ts";
import { checkImports, isOriginFile } from "./check-origins.ts";
import { countOf, describeExecutions, type Findings, quoteText, startFindings } from "./findings.ts";
import { readFiles, readWaczFiles } from "./read-capture.ts";
import { isTime, parseExactJson, parseLines } from "./read-json.ts";
import { type Archive, BadFile } from "./read-zip.ts";

/** What the caller knows from elsewhere: a fingerprint, and that of the installation's key. */
export type Known = { head?: string | undefined; key?: string | undefined };
/** What was found, and what it proves in a few sentences. */
export type Verdict = Pick<Findings, "problems" | "notes"> & { proves: string };
/** What an export says by which it can be compared with others of the same archive. */
export type CheckedExport = Verdict & {
  job: ExportedJob;
  lines: ChainLine[];
  statements: Statements;
  days: CheckedDays["days"];
  /** The fingerprints of the key that signed it and of those that it follows, the newest last; empty if none did. */
  signers: string[];
};

export const notReached = "This chain doesn't contain the fingerprint you gave: it belongs to another chain.";

export function checkExport(zip: Archive, known: Known, program: string | undefined): CheckedExport {
  const { job, chainFiles } = identifyExport(zip);
  const isSigned = job.watchglass === exportVersion;
  const findings = startFindings();
  const { notes, flag } = findings;
  const lines = readChain(zip, chainFiles, findings);
  checkLinks(job.id, lines, findings);
  checkEnd(job.chain, lines, findings);
  const isChainWhole = findings.problems.length === 0;
  const statements = checkSeals(zip, job.id, lines, findings);
  const { shown, parts, expected } = checkExecutions(zip, lines, statements, findings);
  checkTimes(lines, statements, findings);
  if (isSigned) checkJob(job, statements, findings);
  checkImports(zip, statements, findings);
  checkDates(zip, job, statements, shown, findings);
  for (const name of [...chainFiles, "verify.mjs", "job.json", daysFile]) expected.add(name);
  if (isSigned) for (const name of [keysFile, keyFile, signedList, signatureFile]) expected.add(name);
  checkNames(zip, expected, findings);
  checkDerived(zip, job, shown, findings);
  const keys = checkKeys(parseLines<KeyLine>(zip.read(keysFile)?.bytes), findings);
  const days = checkDayFile(zip, job, lines, statements, keys, findings);
  if (isSigned) checkSignature(zip, keys, known.key, findings);
  else checkUnsigned(zip, statements, known, findings);
  const given = known.head && isChainWhole ? reachHead(lines, days, known.head) : undefined;
  if (known.head && !given) flag("altered", notReached);
  describeContents(job, lines, statements, parts, findings);
  noteProgram(zip, program, findings);
  const last = lines.at(-1);
  if (last) notes.push(`The chain ends at position ${last.position} with ${last.hash}.`);
  for (const [target, count] of days.sent)
    notes.push(
      `The installation says that it sent ${countOf(count, "daily fingerprint", "daily fingerprints")} by ${target}. Ask a recipient for one, and compare it by --head.`,
    );
  const isAllCovered = isSigned && !findings.hasUnsealed && (isWacz(zip) || !hasLaterView(job));
  const subject = isAllCovered ? "everything in this export" : "every sealed execution in this export";
  const proves = sayProof(subject, given, [...days.stamps.values()], last?.position ?? 0);
  const signers = isSigned
    ? keys.slice(keys.findLastIndex(({ isFresh }) => isFresh)).map(({ fingerprint }) => fingerprint)
    : [];
  return { ...findings, proves, job, lines, statements, days: days.days, signers };
}

const isWacz = (zip: Archive) => zip.has("datapackage.json");

/** The job of an export and the names of its chain's files. */
function identifyExport(zip: Archive): { job: ExportedJob; chainFiles: string[] } {
  const chainFiles = zip.names.filter((name) => /^chain\/seals-\d{6,}\.jsonl$/.test(name)).sort();
  const bytes = zip.read("job.json")?.bytes;
  const job = parseExactJson<ExportedJob>(bytes, 2);
  if (chainFiles.length === 0)
    throw new BadFile(
      bytes
        ? "It has no chain: it was exported before seals existed, or the chain was removed."
        : "It is not an export of Watchglass: it has no chain.",
    );
  if (typeof job?.id !== "string")
    throw new BadFile(
      "Its job.json is missing or cannot be read, so it's unknown which job the chain belongs to.",
    );
  if (job.watchglass !== undefined && job.watchglass !== exportVersion)
    throw new BadFile(
      "This program doesn't know the format of the export: use a later version of the program.",
    );
  return { job, chainFiles };
}

/** Checks what the job.json of a signed export must say. */
function checkJob(job: ExportedJob, statements: Statements, { flag }: Findings): void {
  if (typeof job.name !== "string" || typeof job.url !== "string" || !job.chain)
    flag("altered", "job.json lacks the job's name, its URL or the end of its chain.");
  if (!isTime(job.exported)) return flag("altered", "job.json doesn't say when the export was made.");
  const exported = Date.parse(job.exported);
  const later = [...statements.values()].find(({ sealed }) => Date.parse(sealed) > exported + clockMs);
  if (later)
    flag(
      "altered",
      `job.json says that the export was made on ${job.exported}, before execution ${later.number} was sealed.`,
    );
}

/** Checks all executions, sealed or not; `expected` are the names of their files. */
function checkExecutions(zip: Archive, lines: ChainLine[], statements: Statements, findings: Findings) {
  const expected = new Set<string>();
  const owners = ownersOf(statements);
  const byNumber = new Map(lines.map((line) => [line.number, line]));
  const named = zip.names.flatMap((name) => Number(/^executions\/(\d{6,})\.json$/.exec(name)?.[1]) || []);
  const numbers = [...new Set([...named, ...statements.keys()])].sort((a, b) => b - a);
  const shown: Shown[] = [];
  const unsealed: number[] = [];
  let parts = 0;
  for (const number of numbers) {
    const captured = isWacz(zip) ? readWaczFiles(zip, number) : readFiles(zip, number);
    const [line, statement] = [byNumber.get(number), statements.get(number)];
    const record = checkRecord(zip, number, findings);
    if (line && !line.kept && !zip.has(sealName(number)))
      findings.flag(
        "added",
        `Execution ${number}: its record is there, but the chain says it is no longer stored, so nothing proves it.`,
      );
    if (line && statement) parts += checkExecution(captured, record, { statement, line, owners }, findings);
    // What was altered of an execution whose seal doesn't hold was flagged with the seal.
    else if (!line && record?.seal === null) unsealed.push(number);
    else if (!line) continue;
    for (const name of [recordName(number), ...captured.names, ...(line ? [sealName(number)] : [])])
      expected.add(name);
    if (record) shown.push({ number, record, captured });
  }
  if (unsealed.length > 0) {
    findings.hasUnsealed = true;
    findings.notes.push(
      `${describeExecutions(unsealed.reverse())}: not in the chain yet, so no seal covers ${unsealed.length === 1 ? "it" : "them"}.`,
    );
  }
  return { shown, parts, expected };
}

/** Finds files that nothing vouches for, and damaged ones that no seal covers. */
function checkNames(zip: Archive, expected: Set<string>, { flag, problems }: Findings): void {
  const broken = new Set(problems.flatMap(({ text }) => /^Execution (\d+):/.exec(text)?.[1] ?? []));
  for (const name of zip.names) {
    const number = /^(?:executions|archive)\/0*(\d+)\./.exec(name)?.[1];
    const isPart = isOriginFile(name) || (isWacz(zip) ? waczFiles.includes(name) : isPageName(name));
    if (expected.has(name) || isPart) {
      if (number === undefined && zip.read(name)?.bytes === null) flag("altered", `${name} is damaged.`);
    } else if (number === undefined) flag("added", `${name} isn't part of an export.`);
    else if (!broken.has(number)) flag("added", `${name} belongs to no sealed execution.`);
  }
}

/** Compares the dates in the ZIP's list of files, which unpacking gives to the files. */
function checkDates(
  zip: Archive,
  job: ExportedJob,
  statements: Statements,
  shown: Shown[],
  { flag }: Findings,
): void {
  const records = new Map(shown.map(({ number, record }) => [number, String(record.createdAt)]));
  for (const name of zip.names) {
    const number = Number(/^(?:executions|archive)\/(\d{6,})\./.exec(name)?.[1]);
    const at = number ? (statements.get(number)?.at ?? records.get(number)) : job.exported;
    if (at && zip.timeOf(name) !== dosTime(new Date(at)))
      flag(
        "altered",
        `The date of ${name} in the ZIP is not that of ${number ? "its execution" : "the export"}.`,
      );
  }
}

function checkDayFile(
  zip: Archive,
  job: ExportedJob,
  lines: ChainLine[],
  statements: Statements,
  keys: ReturnType<typeof checkKeys>,
  findings: Findings,
): CheckedDays {
  if (!zip.has(daysFile)) findings.flag("missing", "The list of days, chain/days.jsonl, is missing.");
  const byPlace = new Map<number, Statement>();
  for (const { position, number } of lines) {
    const statement = statements.get(number);
    if (statement) byPlace.set(position, statement);
  }
  const days = parseLines<DayLine>(zip.read(daysFile)?.bytes);
  return checkDays(days, { leaves: leavesOf(job.id, lines), statements: byPlace, keys }, findings);
}

/** An export from before exports were signed; whatever only signed ones have shows that the signature was removed. */
function checkUnsigned(zip: Archive, statements: Statements, known: Known, { flag, notes }: Findings): void {
  const isNew = [...statements.values()].some(({ watchglass }) => watchglass !== "seal 1");
  if (isNew || zip.names.some((name) => [keysFile, keyFile, signedList, signatureFile].includes(name)))
    return flag("missing", "This export must be signed, but its signature or its key was removed.");
  if (known.key) flag("missing", "This export is not signed, so the key you gave proves nothing.");
  notes.push(
    "This export was made before exports were signed. Nothing proves that its pages (index.html), the name and settings in job.json and log lines about alerts are unchanged.",
  );
}

/** How far the fingerprint that the caller knows vouches; undefined if the chain doesn't reach it. */
function reachHead(lines: ChainLine[], days: CheckedDays, head: string): Witness | undefined {
  const wanted = head.toLowerCase();
  const place = lines.find(({ hash }) => hash === wanted)?.position ?? days.places.get(wanted);
  return place === undefined ? undefined : { place, by: "the fingerprint you gave", when: "when you got it" };
}

/**
 * What the export proves: what the reader knows first, then each authority, because only the reader can say which of
 * them to trust.
 */
function sayProof(subject: string, given: Witness | undefined, stamps: Witness[], end: number): string {
  const further = stamps.filter(({ place }) => place > (given?.place ?? 0));
  const witnesses = [...(given ? [given] : []), ...further.sort((a, b) => b.place - a.place)];
  if (witnesses.length === 0) return "consistent; nothing outside this archive proves when it was made.";
  const sentences = witnesses.map(
    ({ place, by, when }) =>
      `If you trust ${by}, ${place === 1 ? "position 1 of the chain" : `positions 1 to ${place} of the chain`} existed ${when}, unchanged since then.`,
  );
  const best = Math.max(...witnesses.map(({ place }) => place));
  if (best < end)
    sentences.push(
      `Nothing outside this archive proves when it existed: ${best + 1 === end ? `position ${end}` : `positions ${best + 1} to ${end}`}.`,
    );
  return `${subject} is as it was sealed. ${sentences.join(" ")}`;
}

function describeContents(
  job: ExportedJob,
  lines: ChainLine[],
  statements: Statements,
  parts: number,
  { notes }: Findings,
): void {
  const gone = lines.filter(({ number, kept }) => !kept && !statements.has(number));
  if (gone.length > 0)
    notes.push(
      `${describeExecutions(gone.map(({ number }) => number).sort((a, b) => a - b))}: no longer stored, only ${gone.length === 1 ? "its digest is" : "their digests are"} in the chain.`,
    );
  const newest = [...statements.values()].sort((a, b) => b.number - a.number)[0];
  const other = [
    ...(newest && newest.url !== job.url ? [`the URL ${quoteText(newest.url)}`] : []),
    ...(newest?.name !== undefined && newest.name !== job.name ? [`the name ${quoteText(newest.name)}`] : []),
  ];
  if (newest && other.length > 0)
    notes.push(`When execution ${newest.number} was sealed, the job had ${other.join(" and ")}.`);
  if (job.watchglass === exportVersion)
    notes.push(
      "Signed, but not sealed: the settings in job.json, why there was no alert, log lines about alerts, and what only an import needs (kept).",
    );
  notes.unshift(
    `${countOf(lines.length, "execution", "executions")} of ${quoteText(job.url)} in the chain, ${statements.size} with what was captured: ${countOf(parts, "part", "parts")} as sealed.`,
  );
}

function noteProgram(zip: Archive, program: string | undefined, { notes }: Findings): void {
  const inside = zip.read("verify.mjs")?.bytes?.toString();
  if (program !== undefined && inside !== undefined && inside !== program)
    notes.push(
      "The verify.mjs in this export is not the program that runs now. It may be another version; don't run it, it could have been altered too.",
    );
}
