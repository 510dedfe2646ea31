// `npm run bench:scenarios [-- --fast] [-- --only WORDS]`: the scenario table through the real product, or with --fast
// through the detector alone; a line for each class and one for each scenario that went wrong.
import { parseArgs } from "node:util";
import { known } from "./scenarios/known.ts";
import { runDetection } from "./scenarios/run-detection.ts";
import { scenarios, titleOf } from "./scenarios/scenarios.ts";

const { values } = parseArgs({
  options: { fast: { type: "boolean" }, only: { type: "string", default: "" } },
});
const wanted = scenarios.filter(
  (scenario) => titleOf(scenario).includes(values.only) && !(values.fast && scenario.needs),
);

const problems = new Map<string, string[]>();
for (const scenario of wanted) problems.set(titleOf(scenario), await runDetection(scenario));

for (const [group, members] of Map.groupBy(wanted, (scenario) => scenario.class)) {
  const wrong = members.filter((scenario) => problems.get(titleOf(scenario))?.length);
  console.log(
    `${group.padEnd(10)} ${String(members.length - wrong.length).padStart(3)} right ${String(wrong.length).padStart(3)} wrong`,
  );
}
const wrong = [...problems].filter(([, found]) => found.length > 0);
for (const [title, found] of wrong) {
  const more = found.length > 1 ? ` (and ${found.length - 1} more steps)` : "";
  console.log(`  wrong: ${title}: ${found[0]}${more}${title in known ? " [known]" : ""}`);
}
console.log(`${wanted.length} scenarios, ${wanted.length - wrong.length} right, ${wrong.length} wrong`);
