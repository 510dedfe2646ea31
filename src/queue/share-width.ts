import type { Choice } from "./claim.ts";

/** Chooses tasks so that those of one owner hold at most `most` slots: one owner's slow tasks don't stop all others. */
export const shareWidth =
  (most: number) =>
  (_room: number, held: { owner: string }[]): Choice => {
    const counts = [...Map.groupBy(held, ({ owner }) => owner)].map(([owner, own]) => ({
      owner,
      left: owner === "" ? most : most - own.length,
    }));
    return {
      fullPlaces: [],
      busyOwners: counts.flatMap(({ owner, left }) => (left <= 0 ? [owner] : [])).sort(),
      // It holds for each owner, so for the one that has fewest slots left.
      maxPerOwner: Math.min(most, ...counts.map(({ left }) => left).filter((left) => left > 0)),
      closed: [],
      served: [],
    };
  };
