import { filterPastSnapshot } from "#checks/apply-job-rules.ts";
import type { Deps } from "#checks/deps.ts";
import { readSnapshot } from "#checks/store-capture.ts";
import type { Actor } from "#contract/actor.ts";
import type { LeftOut } from "#contract/noise.ts";
import { noRules, type Rules } from "#detection/selectors-and-ignore-rules/rules.ts";
import { describeStep } from "#detection/selectors-and-ignore-rules/step-kinds.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { rulesOf } from "#group-defaults/inherit.ts";
import { ownJob } from "#jobs/read-job.ts";
import { compareExecutions } from "./compare-executions.ts";
import { assertCapture } from "./read-capture.ts";
import { ownExecution } from "./read-execution.ts";

type Difference = Omit<LeftOut["differences"][number], "rule">;

const limit = 100;
// Each rule is tested separately, which can take long with many rules on a large page.
const timeLimitMs = 10_000;

/** Lists the differences between two executions that the job's rules leave out, each with the first such rule. */
export async function readLeftOut(
  deps: Deps,
  actor: Actor,
  jobId: string,
  range: { from: string; to: string },
  signal?: AbortSignal,
): Promise<LeftOut> {
  const [job, first, second] = await Promise.all([
    ownJob(deps, actor, jobId),
    ownExecution(deps, actor, jobId, range.from),
    ownExecution(deps, actor, jobId, range.to),
  ]);
  const [from, to] = [assertCapture(first), assertCapture(second)];
  const verdict = await compareExecutions(deps, actor, jobId, range, signal);
  const { compareAs, ...applied } = rulesOf(job);
  const rules = entriesOf(applied);
  if (rules.length === 0 && !verdict.sights) return { differences: [], count: 0 };
  const [one, other] = await Promise.all([
    readSnapshot(deps, actor.accountId, from),
    readSnapshot(deps, actor.accountId, to),
  ]);
  const detector = deps.detector.for(actor.accountId);
  // Of a job that compares the source, what its rules leave of the source.
  const compareWith = async (tried: Rules) => {
    const wanted = { ...tried, compareAs };
    signal?.throwIfAborted();
    const [before, after] = await Promise.all([
      filterPastSnapshot({ detector }, one, wanted),
      filterPastSnapshot({ detector }, other, wanted),
    ]);
    const all = await detector.compare({ before, after, memory: null, pictures: null }, signal);
    return differencesIn(all.verdict);
  };
  const seen = new Set(differencesIn(verdict).map(keyOf));
  const leftOut = (await compareWith(noRules)).filter((one) => !seen.has(keyOf(one)));
  const differences: LeftOut["differences"] = leftOut.slice(0, limit).map((one) => ({ ...one, rule: null }));
  const deadline = Date.now() + timeLimitMs;
  for (const { name, wanted } of rules) {
    const unexplained = differences.filter(({ rule }) => rule === null);
    if (unexplained.length === 0 || Date.now() > deadline) break;
    const found = new Set((await compareWith(wanted)).map(keyOf));
    for (const difference of unexplained) if (!found.has(keyOf(difference))) difference.rule = name;
  }
  return { differences, count: leftOut.length };
}

/** Each rule alone; a step together with all that comes before it, because it gets what that leaves. */
function entriesOf({ steps, ...before }: Rules): { name: string; wanted: Rules }[] {
  const { selector, ignore } = before;
  return [
    ...ignore.map((entry) => ({ name: entry, wanted: { selector: null, ignore: [entry] } })),
    ...(selector ? [{ name: `only ${selector}`, wanted: { selector, ignore: [] } }] : []),
    ...(steps ?? []).map((step, at, all) => ({
      name: `step ${at + 1}: ${describeStep(step)}`,
      wanted: { ...before, steps: all.slice(0, at + 1) },
    })),
  ];
}

/** All differences in text or values, alerted or ignored. */
function differencesIn({ reasons, ignored }: Verdict): Difference[] {
  const alerted = reasons.flatMap(({ changes }) => changes.filter(({ id }) => id !== undefined));
  const differences = [...alerted, ...ignored.map(({ place, ...one }) => ({ where: place, ...one }))];
  const byKey = new Map(
    differences
      .filter(({ before, after }) => before !== after)
      .map(({ where, before, after }): [string, Difference] => [
        keyOf({ before, after }),
        { where, before, after },
      ]),
  );
  return [...byKey.values()];
}

const cut = (text: string | null) => text && text.slice(0, 300);
const keyOf = ({ before, after }: Pick<Difference, "before" | "after">) =>
  JSON.stringify([cut(before), cut(after)]);
