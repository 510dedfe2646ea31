import type { Deps } from "#checks/deps.ts";
import { rulesOf } from "#checks/inherit.ts";
import { lookBackThrough } from "#checks/see-through.ts";
import { readSnapshot } from "#checks/snapshots.ts";
import type { Actor } from "#contract/actor.ts";
import type { LeftOut } from "#contract/noise.ts";
import { noRules, type Rules } from "#detection/rules.ts";
import type { Verdict } from "#detection/verdict.ts";
import { ownJob } from "#jobs/read-job.ts";
import { compareExecutions } from "./compare-executions.ts";
import { assertKept } from "./read-capture.ts";
import { ownExecution } from "./read-execution.ts";

type Difference = Omit<LeftOut["differences"][number], "rule">;

const shown = 100;
// Each rule is asked for by itself, which many on a large page may take long for.
const patienceMs = 10_000;

/** What differs between two executions and the job's rules leave out, each with the first rule that does. */
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
  const [from, to] = [assertKept(first), assertKept(second)];
  const verdict = await compareExecutions(deps, actor, jobId, range, signal);
  const rules = entriesOf(rulesOf(job));
  if (rules.length === 0 && !verdict.sights) return { differences: [], count: 0 };
  const [one, other] = await Promise.all([
    readSnapshot(deps, actor.accountId, from),
    readSnapshot(deps, actor.accountId, to),
  ]);
  const detector = deps.detector.for(actor.accountId);
  const foundBy = async (wanted: Rules) => {
    signal?.throwIfAborted();
    const [before, after] = await Promise.all([
      lookBackThrough({ detector }, one, wanted),
      lookBackThrough({ detector }, other, wanted),
    ]);
    const all = await detector.compare({ before, after, memory: null, pictures: null }, signal);
    return differencesIn(all.verdict);
  };
  const seen = new Set(differencesIn(verdict).map(keyOf));
  const left = (await foundBy(noRules)).filter((one) => !seen.has(keyOf(one)));
  const differences: LeftOut["differences"] = left.slice(0, shown).map((one) => ({ ...one, rule: null }));
  const until = Date.now() + patienceMs;
  for (const { name, wanted } of rules) {
    const open = differences.filter(({ rule }) => rule === null);
    if (open.length === 0 || Date.now() > until) break;
    const found = new Set((await foundBy(wanted)).map(keyOf));
    for (const difference of open) if (!found.has(keyOf(difference))) difference.rule = name;
  }
  return { differences, count: left.length };
}

function entriesOf({ selector, ignore }: Rules): { name: string; wanted: Rules }[] {
  return [
    ...ignore.map((entry) => ({ name: entry, wanted: { selector: null, ignore: [entry] } })),
    ...(selector ? [{ name: `only ${selector}`, wanted: { selector, ignore: [] } }] : []),
  ];
}

/** All that differs in words or values, told or ignored. */
function differencesIn({ reasons, ignored }: Verdict): Difference[] {
  const told = reasons.flatMap(({ changes }) => changes.filter(({ id }) => id !== undefined));
  const differences = [...told, ...ignored.map(({ place, ...one }) => ({ where: place, ...one }))];
  const named = new Map(
    differences
      .filter(({ before, after }) => before !== after)
      .map(({ where, before, after }): [string, Difference] => [
        keyOf({ before, after }),
        { where, before, after },
      ]),
  );
  return [...named.values()];
}

const cut = (text: string | null) => text && text.slice(0, 300);
const keyOf = ({ before, after }: Pick<Difference, "before" | "after">) =>
  JSON.stringify([cut(before), cut(after)]);
