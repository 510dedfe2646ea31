import { setTimeout as sleep } from "node:timers/promises";
import type { Opinion, OpinionBlock } from "#contract/second-opinion.ts";
import {
  claimQuestion,
  findAnswer,
  type OpinionEndpointRow,
  settleQuestion,
  updateOpinionEndpoint,
} from "#storage/opinions.ts";
import { type Asked, askEndpoint, type Count } from "./ask-endpoint.ts";
import { costOf, reserveCall, settleCall } from "./budget.ts";
import { type RequestForm, requestForms } from "./build-request.ts";
import type { Deps } from "./deps.ts";
import { openKey } from "./endpoint.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { type ParsedAnswer, parseAnswer } from "./parse-answer.ts";

export type AskedChange = {
  /** Null for a made-up change. */
  jobId: string | null;
  jobName: string;
  matters: string;
  blocks: OpinionBlock[];
};

const pause = { afterFailures: 5, minutes: 5 };
const pollMs = 150;

/** Asks an account's model about a change; the same question is asked once and its answer is used again. */
export async function askAboutChange(
  deps: Deps,
  endpoint: OpinionEndpointRow,
  change: AskedChange,
  deadline: number,
): Promise<Opinion> {
  const { account_id: accountId, url, model } = endpoint;
  const fingerprint = fingerprintOf({ url, model, matters: change.matters, blocks: change.blocks });
  const none = { model, inputTokens: 0, outputTokens: 0, cost: null, isCached: false };
  for (;;) {
    const answer = await findAnswer(deps.db, accountId, fingerprint);
    if (typeof answer === "string") {
      const cost = costOf({ inputTokens: 0, outputTokens: 0 }, endpoint);
      return toOpinion(JSON.parse(answer) as ParsedAnswer, { ...none, cost, isCached: true });
    }
    if (await claimQuestion(deps.db, accountId, fingerprint)) break;
    if (Date.now() + pollMs > deadline)
      return toOpinion({ ok: false, why: "The opinion didn’t come in time." }, none);
    await sleep(pollMs);
  }
  let answer: string | null = null;
  try {
    const asked = await askEndpoint(
      deps.http,
      { url, model, key: openKey(deps.secrets, endpoint) },
      {
        question: change,
        form: requestForms.find((form) => form === endpoint.form) ?? "schema",
        deadline,
        count: countFor(deps, endpoint, change.jobId),
      },
    );
    await recordHealth(deps, endpoint, asked);
    const parsed: ParsedAnswer = asked.ok
      ? parseAnswer(asked.text, change.blocks)
      : { ok: false, why: asked.problem };
    if (asked.ok) answer = JSON.stringify(parsed);
    return toOpinion(parsed, { ...none, ...asked.tokens, cost: costOf(asked.tokens, endpoint) });
  } finally {
    await settleQuestion(deps.db, accountId, fingerprint, answer);
  }
}

const countFor =
  ({ db }: Deps, endpoint: OpinionEndpointRow, jobId: string | null): Count =>
  async (estimate) => {
    const reserved = await reserveCall(db, endpoint.account_id, jobId, estimate);
    return "refused" in reserved ? reserved : (used) => settleCall(db, reserved.id, used, endpoint);
  };

type Circumstances = Pick<Opinion, "model" | "inputTokens" | "outputTokens" | "cost" | "isCached">;

function toOpinion(parsed: ParsedAnswer, circumstances: Circumstances): Opinion {
  return parsed.ok
    ? { ...circumstances, ...parsed.judgement, lowered: false, why: null }
    : { ...circumstances, class: null, sentence: null, blocks: [], lowered: false, why: parsed.why };
}

/** Stores how the endpoint did. One that keeps failing isn't asked for some minutes, so that it delays no alerts. */
async function recordHealth(deps: Deps, endpoint: OpinionEndpointRow, asked: Asked): Promise<void> {
  const { account_id: accountId } = endpoint;
  if (asked.ok) {
    const form: RequestForm = asked.form;
    const wasFine = endpoint.problem === null && endpoint.form === form && endpoint.failures === 0;
    const isRecent = endpoint.succeeded_at && Date.now() - endpoint.succeeded_at.getTime() < 60_000;
    if (wasFine && isRecent) return;
    await updateOpinionEndpoint(deps.db, accountId, {
      form,
      problem: null,
      failures: 0,
      paused_until: null,
      succeeded_at: new Date(),
    });
  } else if (!asked.isOurs) {
    const failures = endpoint.failures + 1;
    await updateOpinionEndpoint(deps.db, accountId, {
      problem: asked.problem,
      failed_at: new Date(),
      failures,
      ...(failures >= pause.afterFailures && { paused_until: new Date(Date.now() + pause.minutes * 60_000) }),
    });
  }
}
