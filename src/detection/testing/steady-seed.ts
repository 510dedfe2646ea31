import fc from "fast-check";

// The suite tests the same inputs each time, so that a property that fails once in a thousand runs doesn't fail an
// unrelated change. FUZZ_SEED chooses other inputs, and so does `npm run bench:fuzz`.
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) });
