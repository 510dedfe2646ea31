import { z } from "zod";
import { type OpinionBlock, type OpinionClass, opinionClasses } from "#contract/second-opinion.ts";
import { whyRefused } from "./check-sentence.ts";

const Answer = z.strictObject({
  class: z.enum(opinionClasses),
  blocks: z.array(z.string()).min(1).max(100),
  sentence: z.string(),
});

type Judgement = { class: OpinionClass; sentence: string; blocks: OpinionBlock[] };
export type ParsedAnswer = { ok: true; judgement: Judgement } | { ok: false; why: string };

const maxLength = 20_000;
const refuse = (why: string): ParsedAnswer => ({ ok: false, why });

/** Reads a model's answer; one that breaks any rule is thrown away as a whole. */
export function parseAnswer(text: string, blocks: OpinionBlock[]): ParsedAnswer {
  if (text.length > maxLength) return refuse("Its answer is too long.");
  let value: unknown;
  try {
    value = JSON.parse(unwrap(text));
  } catch {
    return refuse("Its answer isn’t JSON.");
  }
  const parsed = Answer.safeParse(value);
  if (!parsed.success) return refuse("Its answer doesn’t have the form that was asked for.");
  const ids = new Set(parsed.data.blocks);
  const cited = blocks.filter(({ id }) => ids.has(id));
  if (cited.length < ids.size) return refuse("It cites blocks that don’t exist.");
  const sentence = parsed.data.sentence.normalize("NFC").trim();
  const why = whyRefused(sentence, cited);
  return why ? refuse(why) : { ok: true, judgement: { class: parsed.data.class, sentence, blocks: cited } };
}

/** Models that aren't held to JSON put their thoughts before it and a fence around it. */
function unwrap(text: string): string {
  const answer = text
    .trim()
    .replace(/^<think>[\s\S]*?<\/think>/, "")
    .trim();
  return /^```(?:json)?\s([\s\S]*)```$/.exec(answer)?.[1] ?? answer;
}
