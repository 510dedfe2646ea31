import { articlesPerPage, type ViewRecord, viewArticle, viewPage } from "../export-view.ts";
import { exportVersion, padNumber, viewVersion } from "../seal-format.ts";
import { indexLine, type WarcFacts, writeDataPackage, writeIndex, writePages } from "../warc-format.ts";
import type { ExportedRecord } from "./check-executions.ts";
import type { Findings } from "./findings.ts";
import { type Captured, checkRecords } from "./read-capture.ts";
import { parseJson } from "./read-json.ts";
import type { Archive } from "./read-zip.ts";

export type ExportedJob = {
  id: string;
  name: string;
  url: string;
  watchglass?: string;
  view?: number;
  exported?: string;
  chain?: { length: number; head: string | null };
};
/** An execution of an export, the newest first. */
export type Shown = { number: number; record: ExportedRecord; captured: Captured };

/** Whether the pages were made by a later version of Watchglass, which this program can't derive again. */
export const hasLaterView = ({ view }: ExportedJob) =>
  Number.isSafeInteger(view) && Number(view) > viewVersion;

export const isPageName = (name: string) => /^index(-[1-9]\d*)?\.html$/.test(name);
export const waczFiles = [
  "datapackage.json",
  "datapackage-digest.json",
  "pages/pages.jsonl",
  "indexes/index.cdx",
];

/**
 * Derives the files that were made from sealed ones again, with the code that wrote them, and compares them. So what
 * people and archive tools see is what was sealed, even if whoever holds the signing key altered it.
 */
export function checkDerived(zip: Archive, job: ExportedJob, shown: Shown[], findings: Findings): void {
  const isSigned = job.watchglass === exportVersion;
  const isOwnView = isSigned && !hasLaterView(job);
  const derived = zip.has("datapackage.json")
    ? deriveWacz(zip, job, shown, findings)
    : isOwnView
      ? derivePages(job, shown)
      : new Map<string, string>();
  for (const [name, text] of derived) {
    const bytes = zip.read(name)?.bytes;
    if (!zip.has(name)) findings.flag("missing", `${name} is missing.`);
    else if (!bytes?.equals(Buffer.from(text)))
      findings.flag("altered", `${name} doesn't match the sealed executions.`);
  }
  if (zip.has("datapackage.json")) return;
  const pages = zip.names.filter(isPageName);
  const extra = pages.filter((name) => isOwnView && !derived.has(name));
  for (const name of extra) findings.flag("added", `${name} doesn't match the sealed executions.`);
  if (isSigned && !isOwnView)
    findings.notes.push(
      `Its pages, ${pages.join(", ")}, were made by a later version of Watchglass. They are as signed, but this program cannot derive them again, so they may differ from what was sealed.`,
    );
}

function derivePages(job: ExportedJob, shown: Shown[]): Map<string, string> {
  const pages = new Map<string, string>();
  for (let page = 1; page === 1 || (page - 1) * articlesPerPage < shown.length; page++) {
    const some = shown.slice((page - 1) * articlesPerPage, page * articlesPerPage);
    const articles = some.map(({ record, captured: { parts } }) =>
      viewArticle(record as unknown as ViewRecord, {
        hasCapture: parts.html !== undefined,
        hasPicture: parts.picture !== undefined,
      }),
    );
    const isLast = page * articlesPerPage >= shown.length;
    const { name, html } = viewPage(job, articles, { page, isLast });
    pages.set(name, html);
  }
  return pages;
}

/** Checks the records of all web archives; returns the index and the lists that describe them. */
function deriveWacz(zip: Archive, job: ExportedJob, shown: Shown[], findings: Findings): Map<string, string> {
  const isSigned = job.watchglass === exportVersion;
  const index: string[] = [];
  const captures: { id: string; number: number; at: string; facts: WarcFacts }[] = [];
  for (const { number, record, captured } of shown) {
    const [id, at] = [String(record.id), String(record.createdAt)];
    const records = checkRecords(captured, { id, number, at }, isSigned, findings);
    const facts = parseJson<WarcFacts>(captured.parts.facts);
    if (!facts) continue;
    for (const { record: one, member } of records)
      if (one.uri)
        index.push(
          indexLine(one, at, {
            filename: `${padNumber(number)}.warc.gz`,
            offset: member.offset,
            length: member.length,
          }),
        );
    captures.push({ id, number, at, facts });
  }
  const given = parseJson<{ created: string }>(zip.read("datapackage.json")?.bytes);
  const created = isSigned ? String(job.exported) : String(given?.created);
  const resources = zip.names
    .filter((name) => !/^datapackage(-digest)?\.json$/.test(name))
    .map((path) => ({ path, hash: zip.hash(path), bytes: zip.sizeOf(path) }));
  const { description, digest } = writeDataPackage({ name: job.name, url: job.url, created }, resources);
  return new Map([
    ["indexes/index.cdx", writeIndex(index)],
    ["pages/pages.jsonl", writePages(captures)],
    ["datapackage.json", description],
    ["datapackage-digest.json", digest],
  ]);
}
