// Fails on packages with known critical flaws. If the registry has no list of flaws, it says so and doesn't fail.
import { spawnSync } from "node:child_process";

const { stdout } = spawnSync("npm", ["audit", "--json"], { encoding: "utf8" });
const report = JSON.parse(stdout || "{}");
const counts = report.metadata?.vulnerabilities;
if (!counts) {
  console.log("audit: the registry answers no list of known flaws; nothing was judged");
} else {
  const critical = Object.values(report.vulnerabilities).filter(({ severity }) => severity === "critical");
  for (const { name, range } of critical) console.log(`audit: ${name} ${range} has a critical flaw`);
  console.log(`audit: ${counts.critical} critical of ${counts.total} known flaws`);
  process.exitCode = critical.length > 0 ? 1 : 0;
}
