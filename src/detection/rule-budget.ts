/**
 * How much processor time all rules of a job may take together, each time they are applied to a capture. Most take a
 * few milliseconds; a tenth of a second is what fifty selectors take on a page of 30,000 elements.
 */
const ruleBudgetMs = 500;

/** The same in words, for sentences that users read. */
const ruleBudgetWords = "half a second of processor time";

/** A rule that could not be applied to a capture. The message is a sentence for the rule's owner. */
export class RuleFailure extends Error {
  readonly rule: string;

  constructor(rule: string, message: string) {
    super(message);
    this.name = "RuleFailure";
    this.rule = rule;
  }
}

/**
 * Runs work that cannot count its own steps and answers how long it took; ends it by an OutOfTime once it has had so
 * much processor time.
 */
export type Interrupt = <T>(limitMs: number, work: () => T) => { value: T; ms: number };

export class OutOfTime extends Error {}

/**
 * What rules may still spend. Steps have fixed prices in nanoseconds, measured once, so that the same rules on the same
 * capture always end the same way, however busy the machine is. Only where a library shows nothing of its steps is
 * processor time measured.
 */
export class Budget {
  #left = ruleBudgetMs * 1e6;
  #leftMs = ruleBudgetMs;
  #rule = "";
  #leftBefore = this.#left;
  readonly #spent = new Map<string, number>();
  readonly #interrupt: Interrupt | undefined;

  constructor(interrupt?: Interrupt) {
    this.#interrupt = interrupt;
  }

  /** What is spent from now on is spent by this rule. */
  chargeTo(rule: string): void {
    if (rule === this.#rule) return;
    this.#settle();
    this.#rule = rule;
  }

  spend(nanoseconds: number): void {
    this.#left -= nanoseconds;
    if (this.#left < 0) throw this.#tooSlow();
  }

  /** Runs a library's work whose steps cannot all be counted. What it throws is a failure of the rule. */
  run<T>(work: () => T): T {
    const began = this.#leftMs;
    try {
      if (!this.#interrupt) return work();
      const { value, ms } = this.#interrupt(this.#leftMs, work);
      this.#leftMs = Math.max(1, began - ms);
      return value;
    } catch (error) {
      // A library may wrap what was thrown while it counted.
      if (error instanceof OutOfTime) throw tooSlow(this.#rule);
      if (this.#left < 0) throw this.#tooSlow();
      if (error instanceof RangeError)
        throw new RuleFailure(this.#rule, `“${shorten(this.#rule)}” selects more than can be compared.`);
      const reason =
        String((error as Error).message)
          .split("\n")[0]
          ?.slice(0, 200) ?? "";
      throw new RuleFailure(
        this.#rule,
        `“${shorten(this.#rule)}” can't be evaluated on this page: ${reason.trim()}${reason.trim().endsWith(".") ? "" : "."}`,
      );
    }
  }

  #settle(): void {
    const spent = this.#leftBefore - this.#left;
    if (spent > 0) this.#spent.set(this.#rule, (this.#spent.get(this.#rule) ?? 0) + spent);
    this.#leftBefore = this.#left;
  }

  #tooSlow(): RuleFailure {
    this.#settle();
    const [slowest, spent] = [...this.#spent].reduce(
      (most, one) => (one[1] > most[1] ? one : most),
      [this.#rule, 0],
    );
    if (spent > (ruleBudgetMs * 1e6) / 2) return tooSlow(slowest);
    return new RuleFailure(
      slowest,
      `The rules of this job together take more than ${ruleBudgetWords} on this page. The slowest is “${shorten(slowest)}”: remove some or make them simpler.`,
    );
  }
}

const tooSlow = (rule: string) =>
  new RuleFailure(
    rule,
    `“${shorten(rule)}” takes more than ${ruleBudgetWords} on this page. Make it simpler or more specific.`,
  );

const shorten = (rule: string) => (rule.length > 80 ? `${rule.slice(0, 80)}…` : rule).toWellFormed();
