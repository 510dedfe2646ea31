import { Budget } from "./rule-budget.ts";
import { cutFile } from "./rules/cut-file.ts";
import { cutPage } from "./rules/cut-page.ts";
import type { Glasses, View } from "./rules/glasses.ts";
import { TextCutter } from "./rules/text-cutter.ts";
import { type Rules, readIgnored, readSelectors } from "./rules.ts";
import type { Snapshot } from "./snapshot.ts";

export type { Placed, View } from "./rules/glasses.ts";

/** Reads a job's rules; throws a RuleError for one that cannot be understood. */
export function readRules({ selector, ignore }: Rules): Glasses {
  const rules = ignore.map(readIgnored);
  return {
    selectors: readSelectors(selector ?? ""),
    ignored: rules.filter((rule) => rule.kind === "elements" || rule.kind === "values"),
    lines: new TextCutter(rules.filter((rule) => rule.kind === "line" || rule.kind === "pattern")),
  };
}

/**
 * Shows a capture through the rules: what they leave out is absent from all that is said of it. Throws a RuleFailure
 * where they exceed their budget.
 */
export function applyRules(snapshot: Snapshot, glasses: Glasses, budget = new Budget()): View {
  const { selectors, ignored, lines } = glasses;
  if (selectors.length === 0 && ignored.length === 0 && lines.isIdle) {
    return { snapshot, sight: { only: null, hidden: [] }, isAbsent: false };
  }
  lines.payFrom(budget);
  const cut = snapshot.kind === "html" ? cutPage : cutFile;
  const seen = cut(snapshot, glasses, budget);
  return seen ?? { snapshot: { ...snapshot, ...nothing }, sight: null, isAbsent: true };
}

/** What there is to compare of a thing that is not there. */
const nothing = {
  html: "",
  body: new Uint8Array(),
  title: "",
  text: [],
  links: [],
  forms: [],
  scripts: [],
  thirdPartyHosts: [],
  images: [],
  rendered: undefined,
  layout: undefined,
};
