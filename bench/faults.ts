// Kills and outages while pages change: each change must be told, none more than once a kill. npm run bench:faults
// EXECUTIONS (10000), KILLS (200) and JOBS (120) size it; SHORT=1 is what stands in npm test.
import { isGood, recoverSeconds, runFaults } from "./faults/run-faults.ts";
import { short } from "./faults/short.ts";

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const whole = {
  executions: Number(process.env.EXECUTIONS ?? 10_000),
  kills: Number(process.env.KILLS ?? 200),
  killPauseMs: 4_000,
  jobs: Number(process.env.JOBS ?? 120),
  changeShare: 0.003,
  roles: ["api", "scheduler", "worker", "api", "scheduler", "worker"] as const,
  outageMs: 10_000,
};
const found = await runFaults(
  process.env.SHORT === "1" ? short : { ...whole, roles: [...whole.roles] },
  console.log,
);
const kills = Object.values(found.kills).reduce((sum, times) => sum + times, 0);
const median = found.waits[Math.floor(found.waits.length / 2)] ?? Number.NaN;
const late = found.waits.filter((seconds) => seconds > recoverSeconds).length;
console.log(`
executions             ${found.executions}
changes                ${found.changes}, ${found.mails} of them by mail, too
kills                  ${kills} (${Object.entries(found.kills)
  .map(([kind, times]) => `${kind} ${times}`)
  .join(", ")})
outages                ${found.outages.join(", ")}
changes not told       ${found.notTold} (0)
mails lost             ${found.mailsLost} (0)
notifications          ${found.notifications} (${found.changes} at least)
captures lost          ${found.capturesLost} (0)
dead letters           ${found.deadLetters} (0)
told more than once    ${found.twice} (at most ${kills})
until told             median ${median.toFixed(1)} s, longest ${found.waits.at(-1)?.toFixed(1)} s
told after ${recoverSeconds} s        ${late}, of which ${found.late.length} were not hit more than once (0) ${found.late.join(", ")}
a process not ready    ${found.longestDown.toFixed(0)} s at most (${recoverSeconds})
ended by themselves    ${found.endedByThemselves.length} (0)
took                   ${found.seconds.toFixed(0)} s`);
for (const said of found.endedByThemselves) console.log(said);
console.log(isGood(found) ? "Nothing was lost." : "NOT as it must be.");
process.exit(isGood(found) ? 0 : 1);
