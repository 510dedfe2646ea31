import { foldInvisible } from "./fold-invisible.ts";
import { asListed } from "./noise/as-listed.ts";
import { idOf } from "./noise/said.ts";
import { emptyMemory, type NoiseMemory, type Observation, recallSaid } from "./noise-memory.ts";
import { Budget } from "./rule-budget.ts";
import { type Pattern, readPattern } from "./rules/pattern.ts";
import type { Snapshot } from "./snapshot.ts";
import { type Reason, type Severity, severities, type Verdict, withIgnored } from "./verdict.ts";

export type LookupRule = { strings: string[]; when: "appears" | "disappears" };
export type Source = Pick<Snapshot, "text" | "html">;
type Layer = "visible text" | "HTML";
export type LookupMatch = { string: string; where: Layer; line: string };

const AROUND = 120;
const layers: Layer[] = ["visible text", "HTML"];

/**
 * The strings that came (or went) between two captures, each with the line it stands (or stood) in. Throws a
 * RuleFailure where looking for them exceeds its budget.
 */
export function findLookups(
  before: Source,
  after: Source,
  rule: LookupRule,
  budget = new Budget(),
): LookupMatch[] {
  const [here, there] = rule.when === "appears" ? [read(after), read(before)] : [read(before), read(after)];
  return rule.strings.flatMap((string) => {
    const find = finderOf(string, budget);
    for (const where of layers) {
      const line = lineWith(here[where], find);
      if (line !== null && lineWith(there[where], find) === null) return [{ string, where, line }];
    }
    return [];
  });
}

/** Whether one of the strings stands in a capture; without strings, always. */
export function holdsOneOf(source: Source, strings: string[], budget = new Budget()): boolean {
  if (strings.length === 0) return true;
  const texts = read(source);
  return strings.some((string) => {
    const find = finderOf(string, budget);
    return layers.some((layer) => lineWith(texts[layer], find) !== null);
  });
}

/** A string that came or went as the memory knows it. */
export function observeLookup({ string, line }: LookupMatch, when: LookupRule["when"]): Observation {
  const [before, after] = when === "appears" ? [null, line] : [line, null];
  return { place: `lookup ${string}`, before, after, frame: false };
}

/**
 * A verdict that also tells of the strings that were looked for: they are a change by themselves, but where the user
 * called this very line noise.
 */
export function withLookups(
  compared: Verdict,
  all: LookupMatch[],
  when: LookupRule["when"],
  memory: NoiseMemory = emptyMemory(),
): Verdict {
  const matches: LookupMatch[] = [];
  const ignored = all.flatMap((match) => {
    const seen = observeLookup(match, when);
    const said = recallSaid(memory, seen, true);
    if (!said) matches.push(match);
    return said ? [{ place: seen.place, before: seen.before, after: seen.after, ...asListed(said) }] : [];
  });
  const verdict = withIgnored(compared, ignored);
  const [first, ...rest] = matches;
  if (!first) return verdict;
  const did = when === "appears" ? "appeared in" : "disappeared from";
  const more = rest.length === 0 ? "" : ` and ${rest.length} more`;
  const reason: Reason = {
    kind: "lookup",
    severity: "important",
    summary: `"${first.string.slice(0, 80)}"${more} ${did} the ${first.where}`,
    changes: matches.map((match) => {
      const seen = observeLookup(match, when);
      return { id: idOf(seen), where: match.where, before: seen.before, after: seen.after };
    }),
    count: matches.length,
  };
  return {
    ...verdict,
    changed: true,
    folded: false,
    severity: graver(verdict.severity, reason.severity),
    summary: verdict.changed ? `${reason.summary}; ${verdict.summary}` : reason.summary,
    reasons: [reason, ...verdict.reasons],
  };
}

function graver(one: Severity, other: Severity): Severity {
  return severities.indexOf(one) > severities.indexOf(other) ? one : other;
}

type Text = { shown: string; folded: string };

/** Blocks of text stay lines of their own; so no string is found that no reader sees in one piece. */
function read({ text, html }: Source): Record<Layer, Text> {
  return {
    "visible text": fold(text.map((block) => squeeze(block.text)).join("\n")),
    HTML: fold(squeeze(html)),
  };
}

const squeeze = (text: string) => foldInvisible(text).replace(/\s+/g, " ");

/** Compared without case, as a reader does. Lower case can be longer than its source; then that is what is shown. */
function fold(text: string): Text {
  const folded = text.toLowerCase();
  return { shown: folded.length === text.length ? text : folded, folded };
}

type Finder = (text: Text) => [from: number, to: number] | undefined;

/** How one of the strings is looked for: as a pattern in the text as it stands, or as words in any case. */
function finderOf(string: string, budget: Budget): Finder {
  const pattern: Pattern | undefined = readPattern(string.trim());
  if (pattern) return ({ shown }) => pattern(shown, budget, 1)[0];
  const wanted = squeeze(string).trim().toLowerCase();
  return ({ folded }) => {
    budget.chargeTo(string);
    budget.spend(folded.length);
    const at = wanted === "" ? -1 : folded.indexOf(wanted);
    return at < 0 ? undefined : [at, at + wanted.length];
  };
}

/** The line a string stands in, cut around it: a minified page is one line. */
function lineWith(text: Text, find: Finder): string | null {
  const found = find(text);
  if (!found) return null;
  const { shown } = text;
  const [at, stop] = found;
  const lineStart = shown.lastIndexOf("\n", at) + 1;
  const lineEnd = shown.indexOf("\n", stop) < 0 ? shown.length : shown.indexOf("\n", stop);
  const start = Math.max(lineStart, at - AROUND);
  const end = Math.min(lineEnd, stop + AROUND);
  return `${start > lineStart ? "…" : ""}${shown.slice(start, end).trim()}${end < lineEnd ? "…" : ""}`;
}
