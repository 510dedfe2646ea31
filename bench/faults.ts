// Kills and outages while pages change: each change must be alerted, and at most one alert per kill may be a duplicate.
// npm run bench:faults; EXECUTIONS (10000), KILLS (200) and JOBS (120) set its size, SHORT=1 runs the short form that
// npm test runs.
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
const findings = await runFaults(
  process.env.SHORT === "1" ? short : { ...whole, roles: [...whole.roles] },
  console.log,
);
const kills = Object.values(findings.kills).reduce((sum, times) => sum + times, 0);
const median = findings.waits[Math.floor(findings.waits.length / 2)] ?? Number.NaN;
const late = findings.waits.filter((seconds) => seconds > recoverSeconds).length;
console.log(`
executions             ${findings.executions}
changes                ${findings.changes}, ${findings.mails} of them also by mail
kills                  ${kills} (${Object.entries(findings.kills)
  .map(([kind, times]) => `${kind} ${times}`)
  .join(", ")})
outages                ${findings.outages.join(", ")}
changes not alerted    ${findings.notAlerted} (0)
mails lost             ${findings.mailsLost} (0)
notifications          ${findings.notifications} (at least ${findings.changes})
captures lost          ${findings.capturesLost} (0)
dead letters           ${findings.deadLetters} (0)
alerted more than once ${findings.twice} (at most ${kills})
time to alert          median ${median.toFixed(1)} s, longest ${findings.waits.at(-1)?.toFixed(1)} s
alerted after ${recoverSeconds} s     ${late}, of which ${findings.late.length} took longer than that per fault (0) ${findings.late.join(", ")}
longest not ready      ${findings.longestDown.toFixed(0)} s (at most ${recoverSeconds})
ended unexpectedly     ${findings.endedByThemselves.length} (0)
took                   ${findings.seconds.toFixed(0)} s`);
for (const error of findings.endedByThemselves) console.log(error);
console.log(isGood(findings) ? "All goals were met." : "A goal was MISSED.");
process.exit(isGood(findings) ? 0 : 1);
