// `npm run bench:fuzz [-- COUNT [FIRST_SEED]]`: random and mutated inputs through every comparer; nothing may be
// thrown, and time stays within a bound that is linear in the input's size.
import { fuzzOnce } from "#detection/testing/fuzz-once.ts";

const count = Number(process.argv[2] ?? 100_000);
const first = Number(process.argv[3] ?? 0);
// For all comparisons of one input together; generous, so that only growth out of proportion to the size exceeds it.
const BASE_MS = 300;
const MS_PER_KB = 40;

const worst = new Map<string, { share: number; seed: number; ms: number; size: number }>();
let failures = 0;
const start = performance.now();
for (let seed = first; seed < first + count; seed++) {
  const { kind, size, work } = fuzzOnce(seed);
  try {
    const ms = cpuMs(work);
    const bound = BASE_MS + (MS_PER_KB * size) / 1000;
    // Compiling or collecting garbage may fall into one run; the input is to blame only if it is slow again.
    const share = ms > bound ? Math.min(ms, cpuMs(work), cpuMs(work)) / bound : ms / bound;
    if (share > (worst.get(kind)?.share ?? 0)) worst.set(kind, { share, seed, ms, size });
    if (share > 1) report(seed, kind, `took ${ms.toFixed(0)} ms for ${size} characters`);
  } catch (error) {
    report(seed, kind, String(error));
  }
  if ((seed - first + 1) % 10_000 === 0) console.log(`${seed - first + 1} inputs, ${failures} failures`);
}
for (const [kind, { share, seed, ms, size }] of [...worst].sort((a, b) => b[1].share - a[1].share)) {
  console.log(
    `  ${kind}: worst ${(share * 100).toFixed(0)} % of the bound (seed ${seed}: ${ms.toFixed(0)} ms, ${size} characters)`,
  );
}
console.log(
  `fuzz: ${count} inputs in ${((performance.now() - start) / 1000).toFixed(0)} s, ${failures} failures`,
);
process.exitCode = failures === 0 ? 0 : 1;

/** CPU time of the work, because a busy machine isn't the input's fault. */
function cpuMs(work: () => void): number {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

function report(seed: number, kind: string, problem: string): void {
  failures++;
  if (failures <= 50) console.log(`seed ${seed} (${kind}): ${problem}`);
}
