import { RuleError } from "./rule-error.ts";

/**
 * How much processor time all rules of a job may take together each time they are applied to a capture. Most take a
 * few milliseconds; fifty selectors on a page of 30,000 elements take a tenth of a second.
 */
const ruleBudgetMs = 500;

/** The budget in words, for messages to users. */
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

/** What an error says about a user's rules. Any other error is thrown again. */
export function toProblem(error: unknown): { problem: string } {
  if (error instanceof RuleFailure || error instanceof RuleError) return { problem: error.message };
  throw error;
}

/**
 * Runs work that can't count its own steps and returns how long it took. Aborts it with an OutOfTime after `limitMs` of
 * processor time.
 */
export type Interrupt = <T>(limitMs: number, work: () => T) => { value: T; ms: number };

export class OutOfTime extends Error {}

/** An error of a jq program, and the processor time that it took. */
export class JqFailure extends Error {
  readonly ms: number;

  constructor(message: string, ms: number) {
    super(message);
    this.ms = ms;
  }
}

/** What rules need of the thread that applies them. Without it, e.g. where rules are only parsed, they run freely. */
export type RuleRuntime = {
  interrupt: Interrupt;
  /**
   * Runs a jq program on a JSON text; returns each result as JSON, and the processor time that it took, or throws a
   * JqFailure. Aborts it with an OutOfTime after `limitMs` of processor time.
   */
  runJq: (program: string, json: string, limitMs: number) => { results: string[]; ms: number };
};

// Reading JSON into jq takes about 150 ns per character, which isn't the program's doing. So much is free, for all
// programs together: a selector on ten megabytes is within the budget, and ten such selectors aren't.
const [freeMsPerCharacter, freeMs] = [150e-6, 1_500];

/**
 * The budget that rules may still spend. Steps have fixed costs in nanoseconds, measured once, so that the same rules
 * on the same capture always have the same outcome, however busy the machine is. Processor time is measured only where
 * the steps of a library can't be counted.
 */
export class Budget {
  #left = ruleBudgetMs * 1e6;
  #leftMs = ruleBudgetMs;
  #freeMs = freeMs;
  #isSpent = false;
  #rule = "";
  #leftBefore = this.#left;
  readonly #spent = new Map<string, number>();
  readonly #interrupt: Interrupt | undefined;
  readonly #runJq: RuleRuntime["runJq"] | undefined;

  constructor({ interrupt, runJq }: Partial<RuleRuntime> = {}) {
    this.#interrupt = interrupt;
    this.#runJq = runJq;
  }

  /** Whether a rule was stopped because nothing was left. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Runs a jq program. An error of it becomes a RuleFailure. */
  runJq(program: string, json: string): string[] {
    const readingMs = Math.min(this.#freeMs, json.length * freeMsPerCharacter);
    const charge = (ms: number) => {
      this.#freeMs -= Math.min(ms, readingMs);
      this.#leftMs = Math.max(1, this.#leftMs - Math.max(0, ms - readingMs));
    };
    try {
      if (!this.#runJq) throw new Error("jq isn't available here");
      const { results, ms } = this.#runJq(program, json, this.#leftMs + readingMs);
      charge(ms);
      return results;
    } catch (error) {
      if (error instanceof OutOfTime) throw this.#outOfTime();
      if (error instanceof JqFailure) charge(error.ms);
      throw cannotEvaluate(this.#rule, (error as Error).message);
    }
  }

  /** Charges what is spent from now on to this rule. */
  chargeTo(rule: string): void {
    if (rule === this.#rule) return;
    this.#settle();
    this.#rule = rule;
  }

  spend(nanoseconds: number): void {
    this.#left -= nanoseconds;
    if (this.#left < 0) throw this.#tooSlow();
  }

  /** Reads a rule: the time is charged, and errors stay as they are. */
  read<T>(rule: string, work: () => T): T {
    this.chargeTo(rule);
    try {
      return this.#charge(work);
    } catch (error) {
      throw error instanceof OutOfTime ? this.#outOfTime() : error;
    }
  }

  /** Runs a library's work whose steps can't all be counted. An error that it throws becomes a RuleFailure. */
  run<T>(work: () => T): T {
    try {
      return this.#charge(work);
    } catch (error) {
      // A library may wrap the error that `spend` threw inside its work.
      if (error instanceof OutOfTime) throw this.#outOfTime();
      if (this.#left < 0) throw this.#tooSlow();
      if (error instanceof RangeError)
        throw new RuleFailure(this.#rule, `“${shorten(this.#rule)}” selects more than can be compared.`);
      throw cannotEvaluate(this.#rule, String((error as Error).message));
    }
  }

  /** Does work that may be interrupted, and charges its time, also if it throws. */
  #charge<T>(work: () => T): T {
    if (!this.#interrupt) return work();
    const leftMsBefore = this.#leftMs;
    const { value: outcome, ms } = this.#interrupt(leftMsBefore, () => settle(work));
    this.#leftMs = Math.max(1, leftMsBefore - ms);
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  #settle(): void {
    const spent = this.#leftBefore - this.#left;
    if (spent > 0) this.#spent.set(this.#rule, (this.#spent.get(this.#rule) ?? 0) + spent);
    this.#leftBefore = this.#left;
  }

  #outOfTime(): RuleFailure {
    this.#isSpent = true;
    return tooSlow(this.#rule);
  }

  #tooSlow(): RuleFailure {
    this.#isSpent = true;
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

/** Work that ends with an error has taken its time too. */
function settle<T>(work: () => T): { value: T } | { error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

function cannotEvaluate(rule: string, message: string): RuleFailure {
  const reason = (message.split("\n")[0] ?? "").slice(0, 200).trim();
  return new RuleFailure(
    rule,
    `“${shorten(rule)}” can't be evaluated on this page: ${reason}${reason.endsWith(".") ? "" : "."}`,
  );
}

const tooSlow = (rule: string) =>
  new RuleFailure(
    rule,
    `“${shorten(rule)}” takes more than ${ruleBudgetWords} on this page. Make it simpler or more specific.`,
  );

const shorten = (rule: string) => (rule.length > 80 ? `${rule.slice(0, 80)}…` : rule).toWellFormed();
