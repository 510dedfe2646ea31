import { join } from "node:path";
import { measureRules } from "#detection/noise-rules/noise-rule.ts";
import { noiseRows } from "#detection/noise-rules/noise-rules.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { FOLDS } from "./folds.ts";
import { compareHistory, comparePair, readMetas, type Step } from "./real-pages.ts";

/** What a rule does on one corpus, by fold. */
type Effect = {
  /** Differences that it decided. */
  decided: number[];
  /** Steps without a change that are alerted only if it is switched off. */
  noise: number[];
  /** Changes that are alerted only if it is switched off. */
  regained: number[];
  /** Steps with another outcome without it, for `--verbose`. */
  names: string[];
};

// A rule mostly decides the same difference at every step of a history: the first few that it decides show what it does.
const STEPS_PER_RULE = 4;

const perFold = () => Array<number>(FOLDS).fill(0);
const emptyEffect = (): Effect => ({
  decided: perFold(),
  noise: perFold(),
  regained: perFold(),
  names: [],
});
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/**
 * Prints for each rule how many differences it decided on each corpus, by fold of the sites, and what happens to noise
 * and recall without it. A step is compared again without each rule that decided on it, with what the memory knew
 * then: how many false alerts a user would get without it at first, until the memory knows that they are frequent.
 */
export function measureEachRule(path: string, every: number, isVerbose: boolean): void {
  for (const folder of ["pairs", "sequences", "long"]) {
    const effects = new Map<string, Effect>();
    const pages = readMetas(join(path, folder), every);
    for (const page of pages)
      measureSteps(folder === "pairs" ? comparePair(page) : compareHistory(page), effects);
    if (pages.length > 0) printEffects(folder, pages.length, effects, isVerbose);
  }
}

function measureSteps(steps: Step[], effects: Map<string, Effect>): void {
  const measured = new Map<string, number>();
  for (const step of steps) {
    for (const [id, count] of step.decided) {
      const effect = effects.get(id) ?? emptyEffect();
      effects.set(id, effect);
      effect.decided[step.fold] = (effect.decided[step.fold] ?? 0) + count;
    }
    const ids = [...step.decided.keys()].filter((id) => (measured.get(id) ?? 0) < STEPS_PER_RULE);
    for (const [id, without] of findDecisiveRules(step, ids)) {
      measured.set(id, (measured.get(id) ?? 0) + 1);
      addEffect(step, without, effects.get(id) ?? emptyEffect());
    }
  }
}

const isAlert = ({ changed, folded }: Verdict) => changed && !folded;

/** The rules without any one of which a step has another outcome, with the verdict that it then has. */
export function findDecisiveRules(
  { isChange, verdict, compareAgain }: Step,
  ids: string[],
): [id: string, without: Verdict][] {
  const changesOutcome = (without: Verdict) => isAlert(without) !== isAlert(verdict);
  // Without a rule there is more news, never less: what is alerted as it should be stays so.
  if (ids.length === 0 || (isChange && isAlert(verdict))) return [];
  if (!changesOutcome(measureRules(ids, compareAgain).result)) return [];
  return ids
    .map((id): [string, Verdict] => [id, measureRules([id], compareAgain).result])
    .filter(([, without]) => changesOutcome(without));
}

function addEffect({ isChange, fold, name }: Step, without: Verdict, effect: Effect): void {
  const counts = isChange ? effect.regained : effect.noise;
  counts[fold] = (counts[fold] ?? 0) + (isAlert(without) ? 1 : -1);
  effect.names.push(`${name}: ${without.summary}`);
}

function printEffects(folder: string, pages: number, effects: Map<string, Effect>, isVerbose: boolean): void {
  console.log(
    `${folder}: ${pages} pages; by fold: decided | false alerts without it | changes alerted only without it`,
  );
  for (const { id } of noiseRows) {
    const { decided, noise, regained, names } = effects.get(id) ?? emptyEffect();
    const folds = [decided, noise, regained].map((values) =>
      values.map((value) => String(value).padStart(5)).join(""),
    );
    const helps = noise.filter((value) => value > 0).length;
    const judgment =
      sum(decided) === 0
        ? "decided nothing"
        : sum(noise) <= 0
          ? "silences nothing that would be alerted"
          : helps === 1
            ? "helps in one fold only"
            : `helps in ${helps} folds`;
    const costs = sum(regained) > 0 ? `, hides ${sum(regained)} changes` : "";
    console.log(`  ${id.padEnd(28)}${folds.join(" |")}  ${judgment}${costs}`);
    if (isVerbose) for (const name of names) console.log(`      ${name}`);
  }
}
