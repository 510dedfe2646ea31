export { RuleFailure } from "#detection/selectors-and-ignore-rules/rule-budget.ts";

/** A comparison exceeded its time or memory, and would again if it were repeated. */
export class TookTooMuch extends Error {}
