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

type Rule = Pick<SiteRuleInput, "by" | "value" | "maxJobs" | "sample">;
/** Reads the pages of a site once more, in the order of their identities. */
type ReadPages = () => AsyncIterable<CandidatePage> | Iterable<CandidatePage>;

/**
 * Decides which jobs a rule makes, keeps, retires and takes up again. Jobs that it has made go before others. Of a site
 * of any size, only as many pages as the rule makes jobs are kept in memory.
 */
export async function chooseJobs(
  rule: Rule,
  readPages: ReadPages,
  made: readonly MadeJob[],
): Promise<ChosenJobs> {
  const { maxJobs, sample } = rule;
  const isAbout = matcherOf(rule);
  const known = new Map(made.map((one) => [one.identity, one]));
  const own = new Map<string, CandidatePage>();
  let [matching, unknown] = [0, 0];
  let first: CandidatePage[] = [];
  for await (const page of readPages()) {
    if (!isAbout(page)) continue;
    matching++;
    if (known.has(page.identity)) {
      own.set(page.identity, page);
      continue;
    }
    unknown++;
    if (sample === "newest") first = keepNewest(first, page, maxJobs);
    else if (first.length < maxJobs) first.push(page);
  }
  const staying = made.filter(({ jobId, identity }) => jobId !== null && own.has(identity)).slice(0, maxJobs);
  const isStaying = new Set(staying.map(({ identity }) => identity));
  const room = Math.max(0, maxJobs - staying.length);
  const isSpread = sample === "spread" && unknown > room;
  const isUnknown = (page: CandidatePage) => isAbout(page) && !known.has(page.identity);
  return {
    matching,
    make: isSpread ? await takeSpread(readPages, isUnknown, unknown, room) : first.slice(0, room),
    keep: staying.flatMap(({ identity }) => own.get(identity) ?? []),
    retire: made.filter(
      ({ jobId, isRetired, identity }) => jobId !== null && !isRetired && !isStaying.has(identity),
    ),
    revive: staying.filter(({ isRetired }) => isRetired),
  };
}

const matcherOf =
  ({ by, value }: Rule) =>
  ({ address, template }: CandidatePage): boolean =>
    by === "template"
      ? template === value || folderTemplate(template) === value
      : matchesPattern(value, patternPath(address));

/** The newest pages with one more, the newest first. */
function keepNewest(newest: CandidatePage[], page: CandidatePage, count: number): CandidatePage[] {
  const isFull = newest.length === count;
  const last = newest.at(-1);
  if (isFull && last && last.firstSeen >= page.firstSeen) return newest;
  const at = newest.findIndex(({ firstSeen }) => firstSeen < page.firstSeen);
  return newest.toSpliced(at === -1 ? newest.length : at, 0, page).slice(0, count);
}

/** So many of all pages, at equal distances. */
async function takeSpread(
  readPages: ReadPages,
  isWanted: (page: CandidatePage) => boolean,
  count: number,
  room: number,
): Promise<CandidatePage[]> {
  const chosen = new Set(Array.from({ length: room }, (_, n) => Math.floor((n * count) / room)));
  const pages: CandidatePage[] = [];
  let at = 0;
  for await (const page of readPages()) if (isWanted(page) && chosen.has(at++)) pages.push(page);
  return pages;
}
