import type { Verdict } from "#detection/verdict/verdict.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import { askEndpoint } from "#second-opinion/ask-endpoint.ts";
import { chooseBlocks } from "#second-opinion/choose-blocks.ts";
import type { Endpoint } from "#second-opinion/endpoint.ts";
import { parseAnswer } from "#second-opinion/parse-answer.ts";
import { whyNotLowered } from "#second-opinion/why-not-lowered.ts";
import type { JudgedAlert } from "./score-judge.ts";

export type Alert = { name: string; isWanted: boolean; verdict: Verdict };
export type Judged = {
  alerts: JudgedAlert[];
  /** Why there were no usable answers, and how often. */
  unusable: Map<string, number>;
  calls: number;
  inputTokens: number;
  outputTokens: number;
};

const answerMs = 60_000;

/** Asks an endpoint about alerts exactly as the product does, one after the other. */
export async function judgeAlerts(
  http: Pick<GuardedFetch, "fetch">,
  endpoint: Endpoint,
  alerts: Iterable<Alert>,
  onJudged: (alert: JudgedAlert) => void = () => undefined,
): Promise<Judged> {
  const judged: Judged = { alerts: [], unusable: new Map(), calls: 0, inputTokens: 0, outputTokens: 0 };
  let form: Parameters<typeof askEndpoint>[2]["form"] = "schema";
  for (const { name, isWanted, verdict } of alerts) {
    const chosen = chooseBlocks(verdict.reasons);
    const wishes = { jobName: "", alertIf: null, lookup: null, status: 200 };
    const alert: JudgedAlert = {
      name,
      isWanted,
      class: null,
      isFixed: whyNotLowered(verdict, wishes, chosen) !== null,
      isPartial: false,
    };
    judged.alerts.push(alert);
    // Without text, the product doesn't ask either.
    if (chosen.blocks.length === 0) continue;
    const asked = await askEndpoint(http, endpoint, {
      // The pair's own name would tell the answer.
      question: { jobName: "A page", matters: "", blocks: chosen.blocks },
      form,
      deadline: Date.now() + answerMs,
      count: async () => {
        judged.calls++;
        return async () => undefined;
      },
    });
    judged.inputTokens += asked.tokens.inputTokens;
    judged.outputTokens += asked.tokens.outputTokens;
    if (asked.ok) form = asked.form;
    const parsed = asked.ok
      ? parseAnswer(asked.text, chosen.blocks)
      : { ok: false as const, why: asked.problem };
    if (parsed.ok) {
      alert.class = parsed.judgement.class;
      alert.isPartial = parsed.judgement.blocks.length < chosen.blocks.length;
    } else judged.unusable.set(parsed.why, (judged.unusable.get(parsed.why) ?? 0) + 1);
    onJudged(alert);
  }
  return judged;
}
