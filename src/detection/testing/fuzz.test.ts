import { expect, test } from "vitest";
import { fuzzOnce } from "./fuzz-once.ts";

// `npm run bench:fuzz` runs a hundred thousand of these.
test("every comparison of mangled input keeps its invariants and never throws", () => {
  for (let seed = 0; seed < 200; seed++) {
    const { kind, work } = fuzzOnce(seed);
    expect(work, `seed ${seed} (${kind})`).not.toThrow();
  }
});
