import type { NoiseReason } from "../verdict/verdict.ts";

export type RuleId = `${NoiseReason}.${string}`;

/** One row of the table: which differences it takes for noise. `testing/examples.ts` proves that it doesn't take too much. */
export type NoiseRow = {
  /** The kind of noise, and what the rule recognizes. */
  id: RuleId;
  /** What the rule says about the differences that it silences. */
  claim: string;
  /** Where it applies. */
  where: "anywhere" | "outside the main content" | "markup" | "files" | "response" | "code" | "picture";
};

/** A row that decides by a test on one fact. */
export type NoiseRule<Fact> = NoiseRow & { test: (fact: Fact) => boolean };

/** A row that masks a part of the text before texts are compared. */
export type MaskRule = NoiseRow & { mask: (text: string) => string };

let switchedOff: ReadonlySet<string> = new Set();
let onDecision: ((id: string) => void) | null = null;
const caches: (() => void)[] = [];

/** Registers what must be forgotten when rules are switched on or off. */
export function onRulesSwitched(clear: () => void): void {
  caches.push(clear);
}

export function isActive(id: RuleId): boolean {
  return switchedOff.size === 0 || !switchedOff.has(id);
}

/** Returns the first active rule that takes the fact for noise; null if none does. */
export function decide<Fact>(rules: readonly NoiseRule<Fact>[], fact: Fact): NoiseReason | null {
  const rule = rules.find((one) => isActive(one.id) && one.test(fact));
  return rule ? decidedBy(rule.id) : null;
}

/** Records that a rule decided a difference; returns what kind of noise it is. */
export function decidedBy(id: RuleId): NoiseReason {
  onDecision?.(id);
  return kindOf(id);
}

export function kindOf(id: RuleId): NoiseReason {
  return id.slice(0, id.indexOf(".")) as NoiseReason;
}

/** Measures rules: runs without some of them, and counts which rule decided how many differences. */
export function measureRules<Result>(
  without: readonly string[],
  run: () => Result,
): { result: Result; decided: Map<string, number> } {
  const decided = new Map<string, number>();
  const outer = { switchedOff, onDecision };
  const switchTo = (ids: ReadonlySet<string>) => {
    switchedOff = ids;
    for (const clear of caches) clear();
  };
  if (without.length > 0) switchTo(new Set(without));
  onDecision = (id) => decided.set(id, (decided.get(id) ?? 0) + 1);
  try {
    return { result: run(), decided };
  } finally {
    if (without.length > 0) switchTo(outer.switchedOff);
    onDecision = outer.onDecision;
  }
}
