import { createHash, randomBytes } from "node:crypto";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { ReportFormat } from "#contract/report.ts";
import type { Database } from "#storage/database.ts";
import { findSharedReport, isReportPrivate, setReportShare } from "#storage/reports.ts";
import { notShareable } from "#storage/shareable.ts";

type Deps = { db: Database };

export const hashOf = (token: string) => createHash("sha256").update(token).digest();
export const sharedPath = (token: string, format: ReportFormat) => `/api/shared-reports/${token}/${format}`;

/** Creates a public link to a report; an earlier link stops working. */
export async function shareReport(
  { db }: Deps,
  { accountId }: Actor,
  id: string,
  days: number,
): Promise<{ path: string; expiresAt: string }> {
  if (await isReportPrivate(db, accountId, id))
    throw new AppError("CONFLICT", `The report has jobs that aren’t shared. ${notShareable}`);
  const token = randomBytes(24).toString("base64url");
  const until = await setReportShare(db, accountId, id, { hash: hashOf(token), days });
  if (!until) throw new AppError("NOT_FOUND", "There is no such report, or it is not ready yet.");
  return { path: sharedPath(token, "html"), expiresAt: until.toISOString() };
}

export async function unshareReport({ db }: Deps, { accountId }: Actor, id: string): Promise<void> {
  if ((await setReportShare(db, accountId, id, null)) === undefined)
    throw new AppError("NOT_FOUND", "There is no such report.");
}

export async function readSharedReport({ db }: Deps, token: string, format: ReportFormat): Promise<Buffer> {
  const found = await findSharedReport(db, hashOf(token), format);
  if (!found?.file)
    throw new AppError("NOT_FOUND", "This link no longer works: it has expired or was revoked.");
  return found.file;
}
