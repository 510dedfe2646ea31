import { createHash } from "node:crypto";
import type { OpinionBlock } from "#contract/second-opinion.ts";

/** Changes with each new wording of the instructions, so that older answers aren't used again. */
const instructionsVersion = 1;

/** Identifies a question: the same change, wishes and model, whichever job they are about. */
export function fingerprintOf(question: {
  url: string;
  model: string;
  matters: string;
  blocks: OpinionBlock[];
}): Buffer {
  const { url, model, matters, blocks } = question;
  const parts = [instructionsVersion, url, model, matters, blocks.map(({ sign, text }) => [sign, text])];
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}
