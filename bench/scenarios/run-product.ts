import type { ExecutionDetail } from "#contract/job.ts";
import { type Actual, judge } from "./judge.ts";
import { openProduct, type Person, type Product } from "./open-product.ts";
import type { Expected, Scenario } from "./scenario.ts";
import { titleOf } from "./scenarios.ts";
import { pathOf, type Site, startSite } from "./site.ts";

type Step = { title: string; step: number; person: Person; expected: Expected; seen: ExecutionDetail };

// The number of jobs that a group holds; each person has one group here.
const jobsPerPerson = 20;

/** Runs scenarios through the whole product, several at a time; returns the problems by title. */
export async function runProduct(
  scenarios: Scenario[],
  concurrency: number,
  database: string,
  onDone: (title: string, problems: string[]) => void = () => {},
): Promise<Map<string, string[]>> {
  const product = await openProduct(concurrency, database);
  const problems = new Map(scenarios.map((scenario) => [titleOf(scenario), [] as string[]]));
  const steps: Step[] = [];
  const queue = scenarios.toReversed();
  const runQueue = async (number: number) => {
    const site = await startSite(number);
    let person = await product.person();
    for (let jobs = 1; queue.length > 0; jobs++) {
      if (jobs % jobsPerPerson === 0) person = await product.person();
      const scenario = queue.pop();
      if (!scenario) break;
      const title = titleOf(scenario);
      const found = problems.get(title) ?? [];
      try {
        for (const checked of await watch(person, site, scenario)) {
          const problem = judge(checked.expected, actualOf(checked.seen));
          if (problem) found.push(`step ${checked.step}: ${problem}`);
          else steps.push(checked);
        }
      } catch (error) {
        found.push(`step ?: ${String(error)}`);
      }
      onDone(title, found);
    }
    site.close();
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, (_, number) => runQueue(number)));
    await product.deliverAll();
    for (const checked of steps) {
      const problem = await judgePush(product, checked);
      if (problem) problems.get(checked.title)?.push(`step ${checked.step}: ${problem}`);
    }
  } finally {
    await product.close();
  }
  return problems;
}

async function watch(person: Person, site: Site, scenario: Scenario): Promise<Step[]> {
  site.show(scenario);
  const title = titleOf(scenario);
  const url = `${site.origin}${pathOf(scenario)}`;
  const jobId = await person.createJob({ name: title.slice(0, 120), url, ...scenario.job });
  await person.check(jobId, 1);
  const steps: Step[] = [];
  for (let step = 1; step < scenario.serves.length; step++) {
    site.goTo(step);
    await person.runNow(jobId);
    const seen = await person.check(jobId, step + 1);
    const expected = scenario.expect[Math.min(step, scenario.expect.length) - 1];
    if (expected) steps.push({ title, step, person, expected, seen });
  }
  return steps;
}

function actualOf({ error, changed, folded, untold, severity, summary, verdict }: ExecutionDetail): Actual {
  return {
    failure: error,
    changed,
    folded,
    untold: untold ?? null,
    severity: severity ?? "info",
    summary,
    reasons: verdict?.reasons ?? [],
    ignored: verdict?.ignored ?? [],
  };
}

/** Alerted changes reach the chat; changes in the digest, noise and unchanged pages don't. */
async function judgePush(product: Product, { title, person, expected, seen }: Step): Promise<string | null> {
  const { deliveries } = await person.detail(seen.jobId, seen.id);
  const isPushed = deliveries.length > 0;
  const { is } = expected;
  if ((is === "alerted" || is === "pending" || expected.isPushed) && !isPushed)
    return "alerted, but nothing was sent";
  if (["digestOnly", "noise", "same", "suppressed"].includes(is) && isPushed)
    return `${is} expected, but a message was sent`;
  if (!deliveries.every(({ state }) => state === "sent")) return "a delivery was not sent";
  const isReceived = product.telegram
    .sentTo(person.chat)
    .some(({ text }) => text.includes(title.slice(0, 60)));
  return isPushed && !isReceived ? "sent, but the chat never received it" : null;
}
