import { setTimeout as sleep } from "node:timers/promises";
import { parseRetryAfter } from "#host-limits/parse-retry-after.ts";
import { type FailureKind, failureSentences } from "#network/failure.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import { estimateTokens, type Tokens } from "./budget.ts";
import { buildRequest, type Question, type RequestForm, requestForms } from "./build-request.ts";
import type { Endpoint } from "./endpoint.ts";
import { readReply } from "./read-reply.ts";

/** Counts a request before it is made, or refuses it; the returned function counts what it really used. */
export type Count = (estimate: Tokens) => Promise<((used: Tokens) => Promise<void>) | { refused: string }>;

export type Asked =
  | { ok: true; text: string; form: RequestForm; tokens: Tokens }
  /** `isOurs`: nothing is wrong with the endpoint, we didn't ask it. */
  | { ok: false; problem: string; isOurs?: true; tokens: Tokens };

type Asking = { question: Question; form: RequestForm; deadline: number; count: Count };

const limits = { answerBytes: 256 * 1024, leastMs: 300, retries: 2, firstPauseMs: 400, callMs: 30_000 };
const noTokens: Tokens = { inputTokens: 0, outputTokens: 0 };

const problems: Partial<Record<FailureKind, string>> = {
  timeout: "The endpoint took too long to answer.",
  guard: "The endpoint’s address may not be requested: it isn’t public, and the operator hasn’t allowed it.",
  dns: "The endpoint’s name does not lead to an allowed address.",
  "too-large": "The endpoint’s answer is too large.",
};
/** The request never reached the model, so it used no tokens. */
const unsent = new Set<FailureKind>(["guard", "dns", "refused", "tls"]);

/**
 * Asks an endpoint and returns the model's text. One that doesn't know a form of request is asked by the next simpler
 * one; one that is busy or broken is asked again until the deadline. Redirects aren't followed.
 */
export async function askEndpoint(
  http: Pick<GuardedFetch, "fetch">,
  { url, model, key }: Endpoint,
  { question, form: firstForm, deadline, count }: Asking,
): Promise<Asked> {
  const used = { ...noTokens };
  let form = firstForm;
  for (let retries = 0; ; ) {
    const body = JSON.stringify(buildRequest(model, question, form));
    const totalMs = Math.min(deadline - Date.now(), limits.callMs);
    if (totalMs < limits.leastMs)
      return { ok: false, problem: "The opinion didn’t come in time.", isOurs: true, tokens: used };
    const estimate = estimateTokens(body);
    const settle = await count(estimate);
    if ("refused" in settle) return { ok: false, problem: settle.refused, isOurs: true, tokens: used };
    const settleAs = async (tokens: Tokens) => {
      used.inputTokens += tokens.inputTokens;
      used.outputTokens += tokens.outputTokens;
      await settle(tokens);
    };
    const result = await http.fetch({
      url,
      purpose: "trigger",
      method: "POST",
      body,
      headers: [
        ["content-type", "application/json"],
        ["accept", "application/json"],
        ...(key ? [["authorization", `Bearer ${key}`] as [string, string]] : []),
      ],
      keepBytes: limits.answerBytes,
      totalMs,
    });
    if (!result.ok) {
      const { kind } = result.failure;
      await settleAs(unsent.has(kind) ? noTokens : estimate);
      return { ok: false, problem: problems[kind] ?? failureSentences[kind], tokens: used };
    }
    const { status, headers, body: answer, truncated } = result.response;
    if (status === 200) {
      if (truncated) {
        await settleAs(estimate);
        return { ok: false, problem: "The endpoint’s answer is too large.", tokens: used };
      }
      const reply = readReply(answer);
      await settleAs((reply.ok && reply.tokens) || estimate);
      return reply.ok ? { ok: true, text: reply.text, form, tokens: used } : { ...reply, tokens: used };
    }
    await settleAs(noTokens);
    const simpler = requestForms[requestForms.indexOf(form) + 1];
    if ((status === 400 || status === 422 || status === 501) && simpler) {
      form = simpler;
      continue;
    }
    const isBusy = status === 429 || status >= 500;
    const seconds = parseRetryAfter(headers.find(([name]) => name === "retry-after")?.[1], new Date());
    const pauseMs =
      seconds === undefined ? limits.firstPauseMs * 2 ** retries * (1 + Math.random()) : seconds * 1_000;
    const hasTime = Date.now() + pauseMs + limits.leastMs < deadline;
    if (!isBusy || retries++ >= limits.retries || !hasTime)
      return { ok: false, problem: describeStatus(status), tokens: used };
    await sleep(pauseMs);
  }
}

function describeStatus(status: number): string {
  if (status >= 300 && status < 400) return "The endpoint redirects. Enter the address that it redirects to.";
  if (status === 401 || status === 403) return `The endpoint refused the key (status ${status}).`;
  if (status === 404) return "The endpoint doesn’t know this address or this model (status 404).";
  if (status === 429) return "The endpoint is over its rate limit (status 429).";
  return `The endpoint answered with status ${status}.`;
}
