import type { Database } from "#storage/database.ts";
import {
  insertOpinionCall,
  lockOpinionEndpoint,
  type OpinionEndpointRow,
  readOpinionUse,
  updateOpinionCall,
} from "#storage/opinions.ts";
import { maxAnswerTokens } from "./build-request.ts";

export type Tokens = { inputTokens: number; outputTokens: number };
type Prices = Pick<OpinionEndpointRow, "input_price" | "output_price">;

/** Null without prices. */
export function costOf({ inputTokens, outputTokens }: Tokens, prices: Prices): number | null {
  if (prices.input_price === null && prices.output_price === null) return null;
  return (inputTokens * (prices.input_price ?? 0) + outputTokens * (prices.output_price ?? 0)) / 1_000_000;
}

/** An estimate from above: few tokens are shorter than three bytes, and an answer isn't longer than it may be. */
export const estimateTokens = (body: string): Tokens => ({
  inputTokens: Math.ceil(Buffer.byteLength(body) / 3),
  outputTokens: maxAnswerTokens,
});

/**
 * Counts a request before it is made, by its estimate, so that requests that run at the same time can't exceed a limit
 * together. Returns the id of the count, or why the request may not be made.
 */
export async function reserveCall(
  db: Database,
  accountId: string,
  jobId: string | null,
  estimate: Tokens,
): Promise<{ id: string } | { refused: string }> {
  return db.transaction().execute(async (tx) => {
    const endpoint = await lockOpinionEndpoint(tx, accountId);
    if (!endpoint) return { refused: "No model is set up." };
    const use = await readOpinionUse(tx, accountId);
    if (use.calls >= endpoint.max_calls) return { refused: "The calls of this month are used up." };
    const tokens = use.inputTokens + use.outputTokens + estimate.inputTokens + estimate.outputTokens;
    if (tokens > endpoint.max_tokens) return { refused: "The tokens of this month are used up." };
    if (jobId && (await readOpinionUse(tx, accountId, jobId)).calls >= endpoint.max_calls_per_job)
      return { refused: "The job’s calls of this month are used up." };
    const id = await insertOpinionCall(tx, {
      account_id: accountId,
      job_id: jobId,
      input_tokens: estimate.inputTokens,
      output_tokens: estimate.outputTokens,
      cost: costOf(estimate, endpoint),
    });
    return { id };
  });
}

/** Replaces a request's estimate by what it used. */
export async function settleCall(db: Database, id: string, used: Tokens, prices: Prices): Promise<void> {
  await updateOpinionCall(db, id, {
    input_tokens: used.inputTokens,
    output_tokens: used.outputTokens,
    cost: costOf(used, prices),
  });
}
