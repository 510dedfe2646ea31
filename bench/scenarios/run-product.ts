import type { ExecutionDetail } from "#contract/job.ts";
import { type Actual, judge } from "./judge.ts";
import { openProduct, type Person, type Product } from "./open-product.ts";
import type { Expected, Scenario } from "./scenario.ts";
import { titleOf } from "./scenarios.ts";
import { pathOf, type Site, startSite } from "./site.ts";

type Step = { title: string; step: number; person: Person; expected: Expected; seen: ExecutionDetail };

// A group holds as many jobs, and one person has one group here.
const jobsPerPerson = 20;

/** Runs scenarios through the whole product, several at a time; says what went wrong, by title. */
export async function runProduct(
  scenarios: Scenario[],
  lanes: number,
  database: string,
  onDone: (title: string, problems: string[]) => void = () => {},
): Promise<Map<string, string[]>> {
  const product = await openProduct(lanes, database);
  const problems = new Map(scenarios.map((scenario) => [titleOf(scenario), [] as string[]]));
  const steps: Step[] = [];
  const waiting = scenarios.toReversed();
  const lane = async (number: number) => {
    const site = await startSite(number);
    let person = await product.person();
    for (let jobs = 1; waiting.length > 0; jobs++) {
      if (jobs % jobsPerPerson === 0) person = await product.person();
      const scenario = waiting.pop();
      if (!scenario) break;
      const title = titleOf(scenario);
      const found = problems.get(title) ?? [];
      try {
        for (const one of await watch(person, site, scenario)) {
          const problem = judge(one.expected, actualOf(one.seen));
          if (problem) found.push(`step ${one.step}: ${problem}`);
          else steps.push(one);
        }
      } catch (error) {
        found.push(`step ?: ${String(error)}`);
      }
      onDone(title, found);
    }
    site.close();
  };
  try {
    await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
    await product.deliverAll();
    for (const one of steps) {
      const problem = await judgePush(product, one);
      if (problem) problems.get(one.title)?.push(`step ${one.step}: ${problem}`);
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

function actualOf({ error, changed, folded, severity, summary, verdict }: ExecutionDetail): Actual {
  return {
    failure: error,
    changed,
    folded,
    severity: severity ?? "info",
    summary,
    reasons: verdict?.reasons ?? [],
    ignored: verdict?.ignored ?? [],
  };
}

/** What is told reaches the chat; what is folded, noise or nothing does not. */
async function judgePush(product: Product, { title, person, expected, seen }: Step): Promise<string | null> {
  const { deliveries } = await person.detail(seen.jobId, seen.id);
  const isPushed = deliveries.length > 0;
  const { is } = expected;
  if ((is === "told" || is === "later" || expected.isPushed) && !isPushed)
    return "told, but nothing was pushed";
  if (["folded", "noise", "same"].includes(is) && isPushed) return `${is}, but pushed`;
  if (!deliveries.every(({ state }) => state === "sent")) return "a delivery was not sent";
  const isRead = product.telegram.sentTo(person.chat).some(({ text }) => text.includes(title.slice(0, 60)));
  return isPushed && !isRead ? "pushed, but the chat never got it" : null;
}
