import { type CheckedExport, checkExport, type Known, notReached, type Verdict } from "./check-archive.ts";
import { leavesOf } from "./check-chain.ts";
import { isSealedBefore, sayUncovered } from "./check-days.ts";
import { countOf, type Findings, startFindings } from "./findings.ts";
import { type Archive, BadFile, openFolder } from "./read-zip.ts";

/** The exports of an archive's jobs, by folder. */
type Exports = Map<string, CheckedExport>;

/** An archive of an account has an export in the folder of each job. */
export function checkAccount(zip: Archive, known: Known, program: string | undefined): Verdict {
  const folders = [...new Set(zip.names.flatMap((name) => /^(jobs\/[\w-]+)\//.exec(name)?.[1] ?? []))];
  if (folders.length === 0) throw new BadFile("It is the archive of an account, but it has no job.");
  const findings = startFindings();
  const exports: Exports = new Map();
  for (const name of zip.names)
    if (name !== "watchglass.json" && !folders.some((folder) => name.startsWith(`${folder}/`)))
      findings.flag("added", `${name} isn't part of an export.`);
  let isReached = false;
  for (const folder of folders) {
    const whole = openFolder(zip, folder);
    const inside = { ...whole, names: whole.names.filter((name) => name !== "noise.json") };
    const checked = checkExport(inside, known, program);
    exports.set(folder, checked);
    const { problems, notes } = checked;
    // A fingerprint covers the jobs of its day, and not those that were created later.
    const isOutside = problems.some(({ text }) => text === notReached);
    isReached ||= !isOutside;
    for (const { problem, text } of problems)
      if (text !== notReached) findings.flag(problem, `${folder}: ${text}`);
    findings.notes.push(...notes.map((note) => `${folder}: ${note}`));
    if (isOutside) findings.notes.push(`${folder}: the fingerprint you gave doesn't cover this job.`);
  }
  if (known.head && !isReached) findings.flag("altered", notReached);
  checkTogether(exports, findings);
  findings.notes.push("The settings in watchglass.json and noise.json are neither signed nor sealed.");
  const proofs = new Set([...exports.values()].map(({ proves }) => proves));
  if (proofs.size === 1) return { ...findings, proves: [...proofs].join() };
  for (const [folder, { proves }] of exports) findings.notes.push(`${folder}: ${proves}`);
  return { ...findings, proves: "what is proved differs by job: see above." };
}

/** Finds folders that are not from the same account and time, each of which may be intact by itself. */
function checkTogether(exports: Exports, findings: Findings): void {
  const { flag } = findings;
  const [[firstFolder, first]] = [...exports] as [[string, CheckedExport]];
  const ids = new Set<string>();
  for (const [folder, { job, signers }] of exports) {
    if (ids.has(job.id)) flag("added", `${folder} contains the same job as another folder.`);
    ids.add(job.id);
    // The key may have been replaced while the archive was made.
    const [newest, firstNewest] = [signers.at(-1) ?? "", first.signers.at(-1) ?? ""];
    if (newest !== firstNewest && !signers.includes(firstNewest) && !first.signers.includes(newest))
      flag("altered", `${folder} is not signed by the same key as ${firstFolder}.`);
  }
  checkDaysTogether(exports, findings);
  noteOldFolders(exports, findings);
  noteLeftOutJobs(exports, findings);
}

/**
 * The daily fingerprints are those of the account, so all folders have the same. A folder may lack those of before its
 * chain began, but then nothing in it may be as old as they are.
 */
function checkDaysTogether(exports: Exports, { flag }: Findings): void {
  const days = new Map<string, CheckedExport["days"][number] & { folder: string }>();
  for (const [folder, checked] of exports) {
    for (const one of checked.days) {
      const known = days.get(one.line.day);
      if (known && known.line.hash !== one.line.hash)
        flag("altered", `${folder} has another daily fingerprint of ${one.line.day} than ${known.folder}.`);
      else days.set(one.line.day, { ...one, folder });
    }
  }
  for (const [folder, { signers, statements, days: own }] of exports) {
    // Older versions wrote the days that there were when they came to the folder, so one could be added meanwhile.
    if (signers.length === 0) continue;
    const hashes = new Set(own.map(({ line }) => line.hash));
    const missing = [...days.values()].filter(({ line }) => !hashes.has(line.hash));
    for (const statement of statements.values()) {
      const missed = missing.find(({ day }) => isSealedBefore(statement, day));
      if (missed) flag("altered", `${folder}: ${sayUncovered(statement, missed.day)}`);
    }
  }
}

const dayMs = 86_400_000;

/** Folders of one archive are made one after the other, so one that is much older may be from an earlier archive. */
function noteOldFolders(exports: Exports, { notes }: Findings): void {
  const times = [...exports.values()].map(({ job }) => job.exported ?? "").sort();
  const newest = times.at(-1) ?? "";
  for (const [folder, { job }] of exports)
    if (Date.parse(newest) - Date.parse(job.exported ?? "") > dayMs)
      notes.push(
        `${folder} was exported on ${job.exported}, but another folder on ${newest}: it may be from an older archive.`,
      );
}

/** Says how many of the jobs that the newest daily fingerprint covers are in the archive, if it isn't all. */
function noteLeftOutJobs(exports: Exports, { notes }: Findings): void {
  const newest = [...exports.values()]
    .flatMap(({ days }) => days)
    .sort((a, b) => (a.line.day < b.line.day ? -1 : 1))
    .at(-1);
  if (!newest) return;
  const { heads } = newest.day;
  const leaves = new Set(
    [...exports.values()].flatMap(({ job, lines }) => [...leavesOf(job.id, lines).keys()]),
  );
  const found = heads.filter((head) => leaves.has(head)).length;
  if (found < heads.length)
    notes.push(
      `The newest daily fingerprint covers ${heads.length} jobs, of which this archive has ${countOf(found, "job", "jobs")}: others were deleted since, or left out.`,
    );
}
