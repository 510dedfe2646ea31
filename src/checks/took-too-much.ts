export { RuleFailure } from "#detection/rule-budget.ts";

/** A comparison that exceeded its time or memory; it would again. */
export class TookTooMuch extends Error {}
