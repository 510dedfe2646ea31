import { MAX_IGNORED_SHOWN } from "../change-summaries/excerpt-difference.ts";
import type { Change, ComparedArea, Hunk, Verdict } from "./verdict.ts";

// Two pages of 10 MiB can differ completely. Nobody reads a difference of that size, and every execution stores one.
const limits = {
  text: 10_000,
  reasons: 500_000,
  hunks: 1_000_000,
  summary: 1_000,
  place: 2_000,
  name: 200,
  reasonCount: 200,
  ignored: MAX_IGNORED_SHOWN + 2,
  ignoredCount: 2_000,
  findings: 500,
  often: 500,
  hunkCount: 20_000,
  regions: 2_000,
  says: 500,
  sights: 500,
};
// Every execution stores a verdict, so only its first differing lines and ignored differences are stored.
const storedLimits = { hunks: 100_000, ignored: 100 };

/** Shortens a verdict for storage: within the limits for display, with fewer hunks and ignored differences. */
export function boundForStorage(verdict: Verdict): Verdict {
  const bounded = boundVerdict(verdict);
  return {
    ...bounded,
    hunks: boundHunks(bounded.hunks, storedLimits.hunks),
    ignored: bounded.ignored.slice(0, storedLimits.ignored),
  };
}

/** Limits the size of a verdict: cuts long texts and lists, keeps the most severe reasons; counts remain exact. */
export function boundVerdict(verdict: Verdict): Verdict {
  let left = limits.reasons;
  const reasons = verdict.reasons.slice(0, limits.reasonCount).map((reason) => {
    const changes: Change[] = [];
    for (const change of reason.changes) {
      const bounded = boundChange(change);
      left -= sizeOf(bounded);
      if (left < 0) break;
      changes.push(bounded);
    }
    return { ...reason, summary: cut(reason.summary, limits.summary), changes };
  });
  return {
    ...verdict,
    summary: cut(verdict.summary, limits.summary),
    ...(verdict.untold === undefined ? {} : { untold: cut(verdict.untold, limits.summary) }),
    ...(verdict.met === undefined ? {} : { met: cut(verdict.met, limits.summary) }),
    ...(verdict.often && {
      often: verdict.often
        .slice(0, limits.often)
        .map((each) => ({ ...each, place: cut(each.place, limits.place) })),
    }),
    reasons,
    findings: verdict.findings
      .slice(0, limits.findings)
      .map((finding) => ({ ...finding, value: cut(finding.value, 1_000), where: cut(finding.where, 200) })),
    hunks: boundHunks(verdict.hunks, limits.hunks),
    regions: verdict.regions
      .slice(0, limits.regions)
      .map((region) => (region.says ? { ...region, says: cut(region.says, limits.says) } : region)),
    ...(verdict.sights && {
      sights: { old: boundArea(verdict.sights.old), new: boundArea(verdict.sights.new) },
    }),
    ignored: verdict.ignored.slice(0, limits.ignoredCount).map((each) => ({
      ...each,
      place: cut(each.place, limits.place),
      before: each.before && cut(each.before, limits.ignored),
      after: each.after && cut(each.after, limits.ignored),
      ...(each.said === undefined ? {} : { said: cut(each.said, limits.name) }),
    })),
  };
}

function boundArea(area: ComparedArea | null): ComparedArea | null {
  return (
    area && {
      only: area.only && area.only.slice(0, limits.sights),
      hidden: area.hidden.slice(0, limits.sights),
    }
  );
}

function boundChange(change: Change): Change {
  const { where, before, after, words } = change;
  if (where.length + (before?.length ?? 0) + (after?.length ?? 0) <= limits.text) return change;
  return {
    ...change,
    where: cut(where, 500),
    before: before && cut(before, limits.text),
    after: after && cut(after, limits.text),
    ...(words && { words: boundWords(words) }),
  };
}

/** Keeps the first changed words and the text before them; of a long unchanged run, only the end. */
function boundWords(words: NonNullable<Change["words"]>): NonNullable<Change["words"]> {
  const bounded: NonNullable<Change["words"]> = [];
  let left = 2 * limits.text;
  for (const { op, text } of words) {
    const short = op === "same" && text.length > 400 ? `…${text.slice(-400)}` : cut(text, limits.text);
    left -= short.length;
    if (left < 0) break;
    bounded.push({ op, text: short });
  }
  return bounded;
}

/** Keeps at most the given number of characters. */
function boundHunks(hunks: Hunk[], characters: number): Hunk[] {
  let left = characters;
  const bounded: Hunk[] = [];
  for (const { removed, added, ...position } of hunks.slice(0, limits.hunkCount)) {
    const take = (lines: string[]) =>
      lines
        .map((line) => cut(line, limits.text))
        .filter((line) => {
          left -= line.length + 8;
          return left > 0;
        });
    bounded.push({ ...position, removed: take(removed), added: take(added) });
    if (left <= 0) break;
  }
  return bounded;
}

function sizeOf({ where, before, after, words = [] }: Change): number {
  const texts = [where, before ?? "", after ?? "", ...words.map(({ text }) => text)];
  return texts.reduce((sum, text) => sum + text.length + 16, 0);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
