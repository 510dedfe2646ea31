import fc from "fast-check";

// A property that fails once in a thousand runs must not fail somebody else's change: the suite tries the same inputs
// each time. FUZZ_SEED tries others, and so does `npm run bench:fuzz`.
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) });
