import { z } from "zod";
import type { Actor } from "#contract/actor.ts";
import { maxSiteRules, SiteRuleInput } from "#contract/site-rule.ts";
import type { Database } from "#storage/database.ts";
import { findGroupByName } from "#storage/groups.ts";
import { insertMadeJobs, insertSiteRule, listMadeJobs, listSiteRules } from "#storage/site-rules.ts";
import { toRuleInput, toRuleRow } from "./rule-input.ts";

/** More pages than this, of all rules together, aren't known again: no plan has a tenth of as many jobs. */
const mostMade = 10_000;
const maxMade = 2_000;

/** A rule in an archive: its group by name, and its jobs by their position in the archive. */
export const ArchivedSiteRule = SiteRuleInput.omit({ groupId: true }).extend({
  site: z.int().min(0),
  group: z.string().max(300),
  made: z
    .array(
      z.object({
        identity: z.string().max(3000),
        job: z.int().min(0).nullable(),
        isRetired: z.boolean(),
      }),
    )
    .max(maxMade)
    .default([]),
});
export type ArchivedSiteRule = z.infer<typeof ArchivedSiteRule>;

/** The rules of an account's sites. */
export async function archiveSiteRules(
  db: Database,
  accountId: string,
  jobs: readonly { id: string; settings: { site?: unknown } }[],
  groups: readonly { id: string; name: string }[],
): Promise<ArchivedSiteRule[]> {
  const positions = new Map(jobs.map(({ id }, at) => [id, at]));
  const groupNames = new Map(groups.map(({ id, name }) => [id, name]));
  const archived: ArchivedSiteRule[] = [];
  for (const [site, { id, settings }] of jobs.entries()) {
    if (!settings.site) continue;
    for (const row of await listSiteRules(db, accountId, id)) {
      const { groupId, ...rule } = toRuleInput(row);
      const rows = (await listMadeJobs(db, row.id)).toSorted((a, b) => Number(!a.jobId) - Number(!b.jobId));
      const made = rows.slice(0, maxMade).map(({ identity, jobId, isRetired }) => ({
        identity,
        job: (jobId === null ? undefined : positions.get(jobId)) ?? null,
        isRetired,
      }));
      archived.push({ ...rule, site, group: groupNames.get(groupId) ?? "", made });
    }
  }
  return archived;
}

/** Adds an archive's rules to the sites that were made of it; returns what became of them. */
export async function restoreSiteRules(
  tx: Database,
  actor: Actor,
  rules: readonly ArchivedSiteRule[],
  jobIdAt: (position: number) => string | undefined,
): Promise<string[]> {
  const counts = new Map<string, number>();
  let left = mostMade;
  const messages: string[] = [];
  for (const { site, group, made, ...rule } of rules) {
    const jobId = jobIdAt(site);
    const count = jobId === undefined ? 0 : (counts.get(jobId) ?? 0);
    const found = await findGroupByName(tx, actor.accountId, group);
    if (jobId === undefined || !found || count >= maxSiteRules) {
      const why =
        jobId === undefined
          ? "its site is left out"
          : found
            ? `a site has at most ${maxSiteRules} rules`
            : "its group doesn’t exist here";
      messages.push(`The rule for ${rule.value} is left out: ${why}.`);
      continue;
    }
    counts.set(jobId, count + 1);
    const id = await insertSiteRule(tx, {
      job_id: jobId,
      account_id: actor.accountId,
      ...toRuleRow({ ...rule, groupId: found.id }),
    });
    const known = made.slice(0, left).flatMap(({ identity, job, isRetired }) => {
      const madeId = job === null ? null : jobIdAt(job);
      // A job that was deleted isn't made again; one that couldn't be imported is.
      if (madeId === undefined) return [];
      return [{ identity, made_job_id: madeId, retired_at: isRetired ? new Date() : null }];
    });
    left -= known.length;
    await insertMadeJobs(tx, id, known);
    messages.push(`The rule for ${rule.value} is added. It is applied after the next crawl.`);
  }
  return messages;
}
