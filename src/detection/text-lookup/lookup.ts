import { idOf } from "../noise-memory/feedback.ts";
import { emptyMemory, type NoiseMemory, recallFeedback } from "../noise-memory/noise-memory.ts";
import { type Observation } from "../noise-memory/observation.ts";
import { type Pattern, readPattern } from "../selectors-and-ignore-rules/pattern.ts";
import { Budget } from "../selectors-and-ignore-rules/rule-budget.ts";
import { highestSeverity, severityOf } from "../severity/severity.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { foldInvisible } from "../spaces-and-invisible-characters/fold-invisible.ts";
import { addIgnored, type Reason, type Verdict } from "../verdict/verdict.ts";

export type LookupRule = { strings: string[]; when: "appears" | "disappears" };
export type Source = Pick<Snapshot, "text" | "html">;
type Layer = "visible text" | "HTML";
export type LookupMatch = { string: string; where: Layer; line: string };

const CONTEXT = 120;
const layers: Layer[] = ["visible text", "HTML"];

/**
 * Finds the strings that appeared (or disappeared) between two captures, each with the line that contains (or
 * contained) it. Throws a RuleFailure if the search exceeds its budget.
 */
export function findLookups(
  before: Source,
  after: Source,
  rule: LookupRule,
  budget = new Budget(),
): LookupMatch[] {
  const [present, absent] =
    rule.when === "appears"
      ? [foldLayers(after), foldLayers(before)]
      : [foldLayers(before), foldLayers(after)];
  return rule.strings.flatMap((string) => {
    const find = createFinder(string, budget);
    for (const where of layers) {
      const line = findLine(present[where], find);
      if (line !== null && findLine(absent[where], find) === null) return [{ string, where, line }];
    }
    return [];
  });
}

/** Whether a capture contains one of the strings; without strings, always. */
export function holdsOneOf(source: Source, strings: string[], budget = new Budget()): boolean {
  if (strings.length === 0) return true;
  const texts = foldLayers(source);
  return strings.some((string) => {
    const find = createFinder(string, budget);
    return layers.some((layer) => findLine(texts[layer], find) !== null);
  });
}

/** Converts a string that appeared or disappeared to an observation for the noise memory. */
export function observeLookup({ string, line }: LookupMatch, when: LookupRule["when"]): Observation {
  const [before, after] = when === "appears" ? [null, line] : [line, null];
  return { place: `lookup ${string}`, before, after, frame: false };
}

/** Adds looked-up strings to a verdict: each is a change by itself, unless the user marked this very line as noise. */
export function addLookups(
  compared: Verdict,
  found: LookupMatch[],
  when: LookupRule["when"],
  memory: NoiseMemory = emptyMemory(),
): Verdict {
  const matches: LookupMatch[] = [];
  const ignored = found.flatMap((match) => {
    const seen = observeLookup(match, when);
    const feedback = recallFeedback(memory, seen, true);
    if (!feedback) matches.push(match);
    return feedback ? [{ place: seen.place, before: seen.before, after: seen.after, ...feedback }] : [];
  });
  const verdict = addIgnored(compared, ignored);
  const [first, ...others] = matches;
  if (!first) return verdict;
  const verb = when === "appears" ? "appeared in" : "disappeared from";
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const reason: Reason = {
    kind: "lookup",
    severity: severityOf.lookupMatch,
    summary: `"${first.string.slice(0, 80)}"${more} ${verb} the ${first.where}`,
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
    severity: highestSeverity([verdict, reason]),
    summary: verdict.changed ? `${reason.summary}; ${verdict.summary}` : reason.summary,
    reasons: [reason, ...verdict.reasons],
  };
}

type Text = { shown: string; lowercase: string };

/** Each block of text stays a line of its own, so that no match spans text that readers don't see in one piece. */
function foldLayers({ text, html }: Source): Record<Layer, Text> {
  return {
    "visible text": fold(text.map((block) => squeeze(block.text)).join("\n")),
    HTML: fold(squeeze(html)),
  };
}

const squeeze = (text: string) => foldInvisible(text).replace(/\s+/g, " ");

/** Ignores case, as readers do. Lower-case text can be longer than its source; then it is also what is shown. */
function fold(text: string): Text {
  const lowercase = text.toLowerCase();
  return { shown: lowercase.length === text.length ? text : lowercase, lowercase };
}

type Finder = (text: Text) => [from: number, to: number] | undefined;

/** Returns a function that finds a string: as a pattern in the text as it is, or as words in any case. */
function createFinder(string: string, budget: Budget): Finder {
  const pattern: Pattern | undefined = readPattern(string.trim());
  if (pattern) return ({ shown }) => pattern(shown, budget, 1)[0];
  const wanted = squeeze(string).trim().toLowerCase();
  return ({ lowercase }) => {
    budget.chargeTo(string);
    budget.spend(lowercase.length);
    const at = wanted === "" ? -1 : lowercase.indexOf(wanted);
    return at < 0 ? undefined : [at, at + wanted.length];
  };
}

/** Returns the line that contains a string, cut around it, because a minified page is one line. */
function findLine(text: Text, find: Finder): string | null {
  const found = find(text);
  if (!found) return null;
  const { shown } = text;
  const [at, stop] = found;
  const lineStart = shown.lastIndexOf("\n", at) + 1;
  const lineEnd = shown.indexOf("\n", stop) < 0 ? shown.length : shown.indexOf("\n", stop);
  const start = Math.max(lineStart, at - CONTEXT);
  const end = Math.min(lineEnd, stop + CONTEXT);
  return `${start > lineStart ? "…" : ""}${shown.slice(start, end).trim()}${end < lineEnd ? "…" : ""}`;
}
