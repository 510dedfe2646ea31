import { foldInvisible } from "./fold-invisible.ts";
import type { Snapshot } from "./snapshot.ts";
import { type Reason, type Severity, severities, type Verdict } from "./verdict.ts";

export type LookupRule = { strings: string[]; when: "appears" | "disappears" };
export type Source = Pick<Snapshot, "text" | "html">;
type Layer = "visible text" | "HTML";
export type LookupMatch = { string: string; where: Layer; line: string };

const AROUND = 120;
const layers: Layer[] = ["visible text", "HTML"];

/** The strings that came (or went) between two captures, each with the line it stands (or stood) in. */
export function findLookups(before: Source, after: Source, rule: LookupRule): LookupMatch[] {
  const [here, there] = rule.when === "appears" ? [read(after), read(before)] : [read(before), read(after)];
  return rule.strings.flatMap((string) => {
    for (const where of layers) {
      const line = lineWith(here[where], string);
      if (line !== null && lineWith(there[where], string) === null) return [{ string, where, line }];
    }
    return [];
  });
}

/** Whether one of the strings stands in a capture; without strings, always. */
export function holdsOneOf(source: Source, strings: string[]): boolean {
  if (strings.length === 0) return true;
  const texts = read(source);
  return strings.some((string) => layers.some((layer) => lineWith(texts[layer], string) !== null));
}

/** A verdict that also tells of the strings that were looked for: they are a change by themselves. */
export function withLookups(verdict: Verdict, matches: LookupMatch[], when: LookupRule["when"]): Verdict {
  const [first, ...rest] = matches;
  if (!first) return verdict;
  const did = when === "appears" ? "appeared in" : "disappeared from";
  const more = rest.length === 0 ? "" : ` and ${rest.length} more`;
  const reason: Reason = {
    kind: "lookup",
    severity: "important",
    summary: `"${first.string.slice(0, 80)}"${more} ${did} the ${first.where}`,
    changes: matches.map(({ where, line }) => ({
      where,
      before: when === "appears" ? null : line,
      after: when === "appears" ? line : null,
    })),
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

/** The line a string stands in, cut around it: a minified page is one line. */
function lineWith({ shown, folded }: Text, string: string): string | null {
  const wanted = squeeze(string).trim().toLowerCase();
  const at = wanted === "" ? -1 : folded.indexOf(wanted);
  if (at < 0) return null;
  const lineStart = shown.lastIndexOf("\n", at) + 1;
  const lineEnd = shown.indexOf("\n", at) < 0 ? shown.length : shown.indexOf("\n", at);
  const start = Math.max(lineStart, at - AROUND);
  const end = Math.min(lineEnd, at + wanted.length + AROUND);
  return `${start > lineStart ? "…" : ""}${shown.slice(start, end).trim()}${end < lineEnd ? "…" : ""}`;
}
