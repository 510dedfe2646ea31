// PROFILE=folder writes a CPU profile of each process there; FLAGS="--trace-gc …" are passed to Node.
const profile = process.env.PROFILE ? ["--cpu-prof", `--cpu-prof-dir=${process.env.PROFILE}`] : [];
const nodeFlags = process.env.FLAGS?.split(" ") ?? [];

/** Node's flags for a product process that is measured. */
export const productFlags = ["--disable-warning=ExperimentalWarning", ...profile, ...nodeFlags];
