import type { Opinion, OpinionUse } from "#contract/second-opinion.ts";

const unimportant = new Set<Opinion["class"]>(["routine", "noise"]);

/** Decides what an opinion does to its alert, and says why it does nothing although it found the change unimportant. */
export function applyOpinion(
  opinion: Opinion,
  { use, fixed }: { use: OpinionUse; fixed: string | null },
): Opinion {
  if (!unimportant.has(opinion.class)) return { ...opinion, lowered: false };
  if (fixed !== null) return { ...opinion, lowered: false, why: `No model may lower this alert. ${fixed}` };
  if (use !== "lower")
    return { ...opinion, lowered: false, why: "The job uses the model for summaries only." };
  return { ...opinion, lowered: true, why: null };
}
