import type { AlertIf } from "#contract/alert-if.ts";
import type { Lookup } from "#contract/job.ts";
import { findAiInstruction } from "#detection/hacked-pages/ai-instruction.ts";
import { isDecisive, isMild } from "#detection/severity/severity.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import type { ChosenBlocks } from "./choose-blocks.ts";

type Judged = Pick<Verdict, "severity" | "reasons" | "findings" | "met" | "partial" | "blocked">;
type Wishes = { jobName: string; alertIf: AlertIf | null; lookup: Lookup | null; status: number | null };

/**
 * Why no opinion may lower this change, as a sentence; null if one may. It decides by what we recorded and by what the
 * user asked for, before any model answers.
 */
export function whyNotLowered(verdict: Judged, wishes: Wishes, chosen: ChosenBlocks): string | null {
  if (!isMild(verdict)) return `Its severity is ${verdict.severity}.`;
  if (verdict.findings.some(isDecisive)) return "It has security findings.";
  if (verdict.met !== undefined || wishes.alertIf !== null) return "The job has alert conditions.";
  if (wishes.lookup !== null) return "The job looks for texts.";
  if (wishes.status === null || wishes.status >= 400) return "The page answered with an error.";
  if (verdict.partial || verdict.blocked) return "The capture may be incomplete.";
  if (verdict.reasons.some((reason) => isDecisive(reason) && !isMild(reason)))
    return "One of its reasons is more severe.";
  if (!chosen.isComplete) return "The model doesn’t see all of what changed.";
  const texts = chosen.blocks.map(({ text }) => text);
  // Together, too: an order may be spread over several blocks.
  if ([...texts, texts.join(" ")].some((text) => findAiInstruction(text) !== null))
    return "The changed text addresses language models.";
  // A job may have got its name from the page's title.
  if (findAiInstruction(wishes.jobName) !== null) return "The job’s name addresses language models.";
  return null;
}
