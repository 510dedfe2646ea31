import { FOLDS } from "./folds.ts";

/** Shares of the noise that pages make by themselves, by stratum. */
const natural: Record<string, number> = { markup_only: 0.88, visible_volatile: 0.109, order_only: 0.011 };

type Outcome = { changed: boolean; folded: boolean };
type Counts = { wanted: number; found: number; quiet: number; alerted: number };
const empty = (): Counts => ({ wanted: 0, found: 0, quiet: 0, alerted: 0 });

/** Counts how many changes were found and how many unchanged pages were alerted, by fold. */
export class Score {
  readonly #folds = Array.from({ length: FOLDS }, () => new Map<string, Counts>());

  /** `isChange`: an alert is wanted. A change that only goes to the digest is found, but isn't an alert. */
  add(fold: number, stratum: string, isChange: boolean, { changed, folded }: Outcome): void {
    const strata = this.#folds[fold];
    const counts = strata?.get(stratum) ?? empty();
    strata?.set(stratum, counts);
    if (isChange) {
      counts.wanted++;
      if (changed) counts.found++;
    } else {
      counts.quiet++;
      if (changed && !folded) counts.alerted++;
    }
  }

  /** The counts of one fold or, without one, of all; of one stratum or of all. */
  counts(fold?: number, stratum?: string): Counts {
    const sum = empty();
    this.#folds.forEach((strata, at) => {
      if (fold !== undefined && at !== fold) return;
      for (const [name, counts] of strata) {
        if (stratum !== undefined && name !== stratum) continue;
        for (const key of Object.keys(sum) as (keyof Counts)[]) sum[key] += counts[key];
      }
    });
    return sum;
  }

  print(title: string): void {
    console.log(title);
    for (const fold of [...Array(FOLDS).keys(), undefined]) {
      const { wanted, found, quiet, alerted } = this.counts(fold);
      let weighted = 0;
      for (const [stratum, share] of Object.entries(natural)) {
        const counts = this.counts(fold, stratum);
        weighted += share * (counts.alerted / Math.max(1, counts.quiet));
      }
      const recall = `recall ${found}/${wanted} ${(found / Math.max(1, wanted)).toFixed(3)}`;
      const noise = `false alerts ${alerted}/${quiet} ${(alerted / Math.max(1, quiet)).toFixed(4)}`;
      const name = fold === undefined ? "all   " : `fold ${fold}`;
      console.log(`  ${name}  ${recall.padEnd(24)} ${noise.padEnd(32)} natural ${weighted.toFixed(3)}`);
    }
  }
}
