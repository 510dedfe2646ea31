import sharp from "sharp";
import { AppError } from "#contract/errors.ts";
import type { ReportScope } from "#contract/report.ts";
import type { Database } from "#storage/database.ts";
import { findGroup } from "#storage/groups.ts";
import { findJob, listJobs } from "#storage/jobs.ts";
import { searchJobs } from "#storage/reports.ts";

/** The jobs that a report covers, and its title if nobody gave it one. */
export async function resolveScope(
  db: Database,
  accountId: string,
  { jobId, groupId, groupIds, search }: ReportScope,
): Promise<{ title: string; jobIds: string[] }> {
  if (jobId) {
    const job = await findJob(db, accountId, jobId);
    if (!job) throw new AppError("NOT_FOUND", "There is no such job.");
    return { title: job.name, jobIds: [job.id] };
  }
  if (search) {
    const jobIds = await searchJobs(db, accountId, search);
    if (jobIds.length === 0)
      throw new AppError("INVALID_INPUT", `No job’s name or URL contains “${search}”.`);
    return { title: `Jobs with “${search}”`, jobIds };
  }
  const names: string[] = [];
  const jobIds: string[] = [];
  for (const id of groupId ? [groupId] : (groupIds ?? [])) {
    const group = await findGroup(db, accountId, id);
    if (!group) throw new AppError("NOT_FOUND", "This group doesn’t exist.");
    names.push(group.name);
    jobIds.push(...(await listJobs(db, accountId, group.id)).map((job) => job.id));
  }
  if (jobIds.length === 0)
    throw new AppError(
      "INVALID_INPUT",
      names.length === 1 ? "This group has no jobs." : "These groups have no jobs.",
    );
  return { title: names.join(", ").slice(0, 120), jobIds: [...new Set(jobIds)] };
}

/** Converts an uploaded logo to a small PNG. */
export async function readLogo(base64: string | undefined): Promise<Buffer | null> {
  if (!base64) return null;
  const file = Buffer.from(base64, "base64");
  try {
    const { format } = await sharp(file, { limitInputPixels: 20_000_000 }).metadata();
    if (!["jpeg", "png", "webp"].includes(format ?? "")) throw new Error("another format");
    return await sharp(file, { limitInputPixels: 20_000_000 })
      .rotate()
      .resize(600, 180, { fit: "inside", withoutEnlargement: true })
      .png()
      .toBuffer();
  } catch {
    throw new AppError("INVALID_INPUT", "The logo must be a JPEG, PNG or WebP picture.");
  }
}
