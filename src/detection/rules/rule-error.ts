/** Why a rule cannot be understood: a sentence of its own and the character, from 0, where reading it ended. */
export class RuleError extends Error {
  readonly at: number;

  constructor(reason: string, at: number) {
    super(reason);
    this.name = "RuleError";
    this.at = at;
  }
}
