import { edits, prepare } from "./edits.ts";
import { handwritten } from "./handwritten.ts";
import { makePage } from "./page.ts";
import { Random } from "./random.ts";
import { type NoiseKind, noiseKinds, render } from "./render.ts";

export type Pair = {
  id: string;
  label: "changed" | "noise";
  stratum: string;
  url: string;
  old: string;
  new: string;
};

const SEED = 20261115;

/** The whole corpus: each kind of noise and each edit alone, each edit amid all noise, and pairs written by hand. */
export function makePairs(): Pair[] {
  const pairs: Pair[] = [];
  const none = new Set<NoiseKind>();
  // Only two captures of the same moment prove that a list changes by itself; a pair doesn't.
  const kinds = noiseKinds.filter((kind) => kind !== "recommendation");
  const all = new Set<NoiseKind>(kinds);
  let seed = SEED;
  const add = (label: Pair["label"], stratum: string, noise: ReadonlySet<NoiseKind>, edit?: string) => {
    seed += 7;
    const page = prepare(edit ?? "", makePage(seed));
    const edited = edit ? (edits[edit]?.(page, new Random(seed)) ?? page) : page;
    pairs.push({
      id: `${stratum}-${pairs.length}`,
      label,
      stratum,
      url: `https://${page.host}/${page.kind}`,
      old: render(page, noise, seed + 1),
      new: render(edited, noise, seed + 2),
    });
  };
  for (let round = 0; round < 5; round++) {
    for (const kind of kinds) add("noise", `noise ${kind}`, new Set([kind]));
    for (const kind of Object.keys(edits)) add("changed", `edit ${kind}`, none, kind);
    for (const kind of Object.keys(edits)) add("changed", `edit in noise ${kind}`, all, kind);
    for (let times = 0; times < 10; times++) add("noise", "noise all", all);
  }
  return [...pairs, ...handwritten];
}
