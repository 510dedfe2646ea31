// PROFILE=folder writes a CPU profile of each process there; FLAGS="--trace-gc …" are Node's own.
const profile = process.env.PROFILE ? ["--cpu-prof", `--cpu-prof-dir=${process.env.PROFILE}`] : [];
const own = process.env.FLAGS?.split(" ") ?? [];

/** What Node is told when the product is started to be measured. */
export const productFlags = ["--disable-warning=ExperimentalWarning", ...profile, ...own];
