// Scores a model: `npm run bench:judge -- URL MODEL [FOLDER]` asks an OpenAI-compatible endpoint about the alerts of our
// own corpus, or of the labelled pairs in FOLDER/pairs, and prints the recall at each share of lowered alerts. The key
// is in JUDGE_KEY. `--every N` reads each Nth pair only, `--verbose` names each judged alert.
import { lookup } from "node:dns/promises";
import { join } from "node:path";
import { compare } from "#detection/compare.ts";
import { emptyMemory } from "#detection/noise-memory/noise-memory.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import { parseEgressAllow } from "#network/address-rules/egress-allow.ts";
import { createGuard } from "#network/guard.ts";
import { createGuardedFetch } from "#network/guarded-fetch.ts";
import { completionsUrl } from "#second-opinion/endpoint.ts";
import { makePairs } from "./corpus/pairs.ts";
import { comparePair, readMetas } from "./corpus/real-pages.ts";
import { type Alert, judgeAlerts } from "./judge/judge-alerts.ts";
import { type Row, scoreJudge } from "./judge/score-judge.ts";

const everyAt = process.argv.indexOf("--every");
const every = everyAt < 0 ? 1 : Number(process.argv[everyAt + 1]);
const isVerbose = process.argv.includes("--verbose");
const [url, model, folder] = process.argv
  .slice(2)
  .filter((argument, at) => !argument.startsWith("--") && at + 2 !== everyAt + 1);

function* ownAlerts(): Generator<Alert> {
  for (const pair of makePairs().filter((_, at) => at % every === 0)) {
    const [before, after] = [pair.old, pair.new].map((page) => snapshotOf(page, "html", pair.url));
    if (!before || !after) continue;
    const { verdict } = compare(before, after, emptyMemory());
    if (verdict.changed && !verdict.folded)
      yield { name: pair.id, isWanted: pair.label === "changed", verdict };
  }
}

function* realAlerts(path: string): Generator<Alert> {
  for (const meta of readMetas(join(path, "pairs"), every))
    for (const { name, isChange, verdict } of comparePair(meta))
      if (verdict.changed && !verdict.folded) yield { name, isWanted: isChange, verdict };
}

const share = (value: number | null) => (value === null ? "–" : value.toFixed(3));
function print(title: string, rows: Row[]): void {
  console.log(`\n${title}`);
  for (const { lowers, lowered, recall, wrong } of rows)
    console.log(
      `  ${lowers.join(" + ").padEnd(28)} ${share(lowered)} lowered, recall ${share(recall)}, ${wrong.length} wanted alerts lowered`,
    );
}

if (!url || !model || !URL.canParse(url) || !(every >= 1)) {
  console.error("Usage: npm run bench:judge -- URL MODEL [FOLDER] [--every N] [--verbose]");
  process.exit(2);
}
// Whoever measures names the endpoint, so the addresses are allowed that the name leads to, also of this machine.
const { hostname } = new URL(url);
const addresses = await lookup(hostname.replace(/^\[|\]$/g, ""), { all: true });
const allow = addresses.map(({ address, family }) => `${address}/${family === 6 ? 128 : 32}`).join(",");
const http = createGuardedFetch(createGuard({ allow: parseEgressAllow(allow) }));
const endpoint = { url: completionsUrl(url), model, key: process.env.JUDGE_KEY ?? null };
const started = Date.now();
const judged = await judgeAlerts(http, endpoint, folder ? realAlerts(folder) : ownAlerts(), (alert) => {
  if (isVerbose) console.log(`  ${alert.isWanted ? "wanted" : "noise "} ${alert.class ?? "–"} ${alert.name}`);
});
await http.close();
const wanted = judged.alerts.filter(({ isWanted }) => isWanted).length;
const fixed = judged.alerts.filter(({ isFixed }) => isFixed).length;
const seconds = (Date.now() - started) / 1_000;
console.log(
  `${judged.alerts.length} alerts, ${wanted} of them wanted; ${fixed} that no model may lower. ${judged.calls} calls in ${seconds.toFixed(0)} s, ${judged.inputTokens} tokens in and ${judged.outputTokens} out.`,
);
const partial = judged.alerts.filter(({ isPartial }) => isPartial).length;
if (partial > 0) console.log(`  ${partial} of which the model judged only some blocks`);
for (const [why, count] of [...judged.unusable].toSorted((a, b) => b[1] - a[1]))
  console.log(`  ${count} without a usable answer: ${why}`);
print("As the product uses it (noise + routine is what it lowers):", scoreJudge(judged.alerts, true));
print("The model alone:", scoreJudge(judged.alerts, false));
