/** Why a rule can't be understood: a sentence, and the position, from 0, at which parsing failed. */
export class RuleError extends Error {
  readonly at: number;

  constructor(reason: string, at: number) {
    super(reason);
    this.name = "RuleError";
    this.at = at;
  }
}
