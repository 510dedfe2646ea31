// `npm run bench:scenarios -- [--fast | --engine] [--only WORDS]` runs the scenario table through the real product,
// with --fast through the detector alone, with --engine only what needs the product. Prints failures by class and title.
import { parseArgs } from "node:util";
import { runDetection } from "./scenarios/run-detection.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { scenarios, titleOf } from "./scenarios/scenarios.ts";

const concurrency = 6;
const { values } = parseArgs({
  options: { fast: { type: "boolean" }, engine: { type: "boolean" }, only: { type: "string", default: "" } },
});
const isWanted = (scenario: Scenario) =>
  titleOf(scenario).includes(values.only) &&
  !(values.fast && scenario.needs) &&
  !(values.engine && !scenario.needs);
const wanted = scenarios.filter(isWanted);

async function detectAll(): Promise<Map<string, string[]>> {
  const problems = new Map<string, string[]>();
  for (const scenario of wanted) problems.set(titleOf(scenario), await runDetection(scenario));
  return problems;
}

async function runAll(): Promise<Map<string, string[]>> {
  const { runProduct } = await import("./scenarios/run-product.ts");
  const { startDatabase } = await import("./scenarios/start-database.ts");
  const database = await startDatabase();
  let done = 0;
  const onDone = (title: string, found: string[]) => {
    done++;
    if (found.length > 0) process.stderr.write(`${done} of ${wanted.length}: ${title}: ${found[0]}\n`);
  };
  try {
    return await runProduct(wanted, concurrency, database.connectionString, onDone);
  } finally {
    await database.stop();
  }
}

function printClasses(isWrong: (scenario: Scenario) => boolean): void {
  for (const [group, members] of Map.groupBy(wanted, (scenario) => scenario.class)) {
    const wrong = members.filter(isWrong).length;
    console.log(`${group.padEnd(10)} ${members.length - wrong} right, ${wrong} wrong`);
  }
}

const started = performance.now();
const problems = values.fast ? await detectAll() : await runAll();
const wrong = [...problems].filter(([, found]) => found.length > 0);
printClasses((scenario) => (problems.get(titleOf(scenario))?.length ?? 0) > 0);
for (const [title, found] of wrong) {
  const more = found.length > 1 ? ` (and ${found.length - 1} more steps)` : "";
  console.log(`  wrong: ${title}: ${found[0]}${more}`);
}
const seconds = Math.round((performance.now() - started) / 1000);
console.log(
  `${wanted.length} scenarios, ${wanted.length - wrong.length} right, ${wrong.length} wrong, ${seconds} s`,
);
// The detection threads, which the tests of a process share, would keep it running.
process.exit(wrong.length > 0 ? 1 : 0);
