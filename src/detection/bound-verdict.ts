import { MAX_IGNORED_SHOWN } from "./in-sight.ts";
import type { Change, Hunk, Verdict } from "./verdict.ts";

// Two pages of 10 MiB can differ in all of it. Nobody reads that much of a difference, and each check keeps its own.
const limits = {
  text: 10_000,
  reasons: 500_000,
  hunks: 1_000_000,
  ignored: MAX_IGNORED_SHOWN + 2,
  findings: 500,
  regions: 2_000,
};

/** A verdict of bounded size: what is long is cut, the gravest stays; the counts remain exact. */
export function boundVerdict(verdict: Verdict): Verdict {
  let left = limits.reasons;
  const reasons = verdict.reasons.map((reason) => {
    const changes: Change[] = [];
    for (const change of reason.changes) {
      const bounded = boundChange(change);
      left -= sizeOf(bounded);
      if (left < 0) break;
      changes.push(bounded);
    }
    return { ...reason, summary: cut(reason.summary, 1_000), changes };
  });
  return {
    ...verdict,
    summary: cut(verdict.summary, 1_000),
    reasons,
    findings: verdict.findings
      .slice(0, limits.findings)
      .map((finding) => ({ ...finding, value: cut(finding.value, 1_000), where: cut(finding.where, 200) })),
    hunks: boundHunks(verdict.hunks, limits.hunks),
    regions: verdict.regions.slice(0, limits.regions),
    ignored: verdict.ignored.map((each) => ({
      ...each,
      before: each.before && cut(each.before, limits.ignored),
      after: each.after && cut(each.after, limits.ignored),
    })),
  };
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

/** The first words that changed and what stands before them; of a long stretch between, its end. */
function boundWords(words: NonNullable<Change["words"]>): NonNullable<Change["words"]> {
  const kept: NonNullable<Change["words"]> = [];
  let left = 2 * limits.text;
  for (const { op, text } of words) {
    const short = op === "same" && text.length > 400 ? `…${text.slice(-400)}` : cut(text, limits.text);
    left -= short.length;
    if (left < 0) break;
    kept.push({ op, text: short });
  }
  return kept;
}

/** The first so many characters of them. */
export function boundHunks(hunks: Hunk[], characters: number): Hunk[] {
  let left = characters;
  const kept: Hunk[] = [];
  for (const { removed, added, ...place } of hunks) {
    const take = (lines: string[]) =>
      lines
        .map((line) => cut(line, limits.text))
        .filter((line) => {
          left -= line.length + 8;
          return left > 0;
        });
    kept.push({ ...place, removed: take(removed), added: take(added) });
    if (left <= 0) break;
  }
  return kept;
}

function sizeOf({ where, before, after, words = [] }: Change): number {
  const texts = [where, before ?? "", after ?? "", ...words.map(({ text }) => text)];
  return texts.reduce((sum, text) => sum + text.length + 16, 0);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
