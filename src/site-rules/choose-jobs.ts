import type { SiteRuleInput } from "#contract/site-rule.ts";
import { matchesPattern, patternPath } from "#detection/site-pages/address-pattern.ts";
import { folderTemplate } from "#detection/site-pages/page-address.ts";

/** A page that answered when it was last requested. */
export type CandidatePage = {
  identity: string;
  address: string;
  title: string;
  template: string;
  firstSeen: Date;
};
/** What a rule has made of a page; without a job, its owner has deleted it. */
export type MadeJob = { identity: string; jobId: string | null; isRetired: boolean };

export type ChosenJobs = {
  /** How many pages the rule is about. */
  matching: number;
  make: CandidatePage[];
  keep: CandidatePage[];
  /** Jobs whose page is gone, or that the rule is no longer about. */
  retire: MadeJob[];
  revive: MadeJob[];
};

/** Decides which jobs a rule makes, keeps, retires and takes up again. Jobs that it has made go before others. */
export function chooseJobs(
  { by, value, maxJobs, sample }: Pick<SiteRuleInput, "by" | "value" | "maxJobs" | "sample">,
  pages: readonly CandidatePage[],
  made: readonly MadeJob[],
): ChosenJobs {
  const matching = pages.filter(({ address, template }) =>
    by === "template"
      ? template === value || folderTemplate(template) === value
      : matchesPattern(value, patternPath(address)),
  );
  const byIdentity = new Map(matching.map((page) => [page.identity, page]));
  const known = new Map(made.map((one) => [one.identity, one]));
  const existing = made.filter(({ jobId, identity }) => jobId !== null && byIdentity.has(identity));
  const staying = existing.slice(0, maxJobs);
  const isStaying = new Set(staying.map(({ identity }) => identity));
  const room = Math.max(0, maxJobs - staying.length);
  return {
    matching: matching.length,
    make: takeSample(
      matching.filter(({ identity }) => !known.has(identity)),
      room,
      sample,
    ),
    keep: staying.flatMap(({ identity }) => byIdentity.get(identity) ?? []),
    retire: made.filter(
      ({ jobId, isRetired, identity }) => jobId !== null && !isRetired && !isStaying.has(identity),
    ),
    revive: staying.filter(({ isRetired }) => isRetired),
  };
}

function takeSample(pages: CandidatePage[], count: number, sample: SiteRuleInput["sample"]): CandidatePage[] {
  const sorted = pages.toSorted((a, b) =>
    sample === "newest" && a.firstSeen.getTime() !== b.firstSeen.getTime()
      ? b.firstSeen.getTime() - a.firstSeen.getTime()
      : a.identity < b.identity
        ? -1
        : 1,
  );
  if (sample !== "spread" || sorted.length <= count) return sorted.slice(0, count);
  const step = sorted.length / count;
  return Array.from({ length: count }, (_, n) => sorted[Math.floor(n * step)]).filter(
    (page) => page !== undefined,
  );
}
