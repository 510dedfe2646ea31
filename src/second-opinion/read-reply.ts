import { z } from "zod";
import type { Tokens } from "./budget.ts";

const Reply = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
});

const maxTokens = 10_000_000;
const Count = z.number().min(0).max(maxTokens).transform(Math.ceil);
const Usage = z.object({ usage: z.object({ prompt_tokens: Count, completion_tokens: Count }) });

/** Reads a chat completion: the model's text and the tokens used, or why there is no text. */
export function readReply(
  body: Uint8Array,
): { ok: true; text: string; tokens: Tokens | null } | { ok: false; problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return { ok: false, problem: "The endpoint didn’t answer with JSON." };
  }
  const reply = Reply.safeParse(value);
  if (!reply.success) return { ok: false, problem: "The endpoint didn’t answer with a chat completion." };
  const [choice] = reply.data.choices;
  const { content, refusal } = choice?.message ?? {};
  if (refusal) return { ok: false, problem: "The model refused to answer." };
  if (choice?.finish_reason === "length") return { ok: false, problem: "The model’s answer was cut." };
  if (!content) return { ok: false, problem: "The model answered without text." };
  const usage = Usage.safeParse(value);
  const tokens = usage.success
    ? { inputTokens: usage.data.usage.prompt_tokens, outputTokens: usage.data.usage.completion_tokens }
    : null;
  return { ok: true, text: content, tokens };
}
