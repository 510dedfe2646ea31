import type { Opinion, OpinionUse } from "#contract/second-opinion.ts";

const unimportant = new Set<Opinion["class"]>(["routine", "noise"]);

/**
 * Decides what an opinion about a change of `blockCount` blocks does to its alert, and says why it does nothing although
 * it found the change unimportant.
 */
export function applyOpinion(
  opinion: Opinion,
  { use, fixed, blockCount }: { use: OpinionUse; fixed: string | null; blockCount: number },
): Opinion {
  if (!unimportant.has(opinion.class)) return { ...opinion, lowered: false };
  if (fixed !== null) return { ...opinion, lowered: false, why: `No model may lower this alert. ${fixed}` };
  if (use !== "lower")
    return { ...opinion, lowered: false, why: "The job uses the model for summaries only." };
  const judged = opinion.blocks.length;
  if (judged < blockCount)
    return { ...opinion, lowered: false, why: `The model judged only ${judged} of ${blockCount} blocks.` };
  return { ...opinion, lowered: true, why: null };
}
