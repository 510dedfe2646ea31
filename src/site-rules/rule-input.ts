import type { SiteRuleInput } from "#contract/site-rule.ts";
import type { SiteRuleRow } from "#storage/site-rules.ts";
import type { CandidatePage } from "./choose-jobs.ts";

export const toRuleInput = (row: SiteRuleRow): SiteRuleInput => ({
  by: row.by,
  value: row.value,
  groupId: row.group_id,
  maxJobs: row.max_jobs,
  sample: row.sample,
  frequency: row.frequency_minutes,
});

export const toRuleRow = ({ by, value, groupId, maxJobs, sample, frequency }: SiteRuleInput) => ({
  by,
  value,
  group_id: groupId,
  max_jobs: maxJobs,
  sample,
  frequency_minutes: frequency,
});

const maxName = 120;

/** The name of a page's job: its title and its path, which tells pages of one title apart. */
export function nameOfPage({ title, address }: Pick<CandidatePage, "title" | "address">): string {
  const { pathname, search } = new URL(address);
  const path = pathname + search;
  if (path.length >= maxName - 10) return `…${path.slice(-(maxName - 1))}`;
  const words = title.replace(/\p{Cc}/gu, " ").trim();
  const room = maxName - path.length - 3;
  return words === "" ? path : `${Array.from(words).slice(0, room).join("").trim()} (${path})`;
}
