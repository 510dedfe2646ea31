import { FailureError } from "../failure.ts";
import type { Guard, Target } from "../guard.ts";
import { type PageProxy, type ProxyProblem, proxyUrl } from "../proxy.ts";

/** A proxy and the only addresses that may be dialed for it. */
export type Via = {
  proxy: PageProxy;
  target: Target;
  /** Keeps a request from the connections of others. */
  nonce?: string;
};

/** Judges the proxy's own address; rejects with a FailureError if it may not be dialed. */
export async function openVia(guard: Guard, proxy: PageProxy): Promise<Via> {
  const judgement = await guard.judge(proxyUrl(proxy), "page");
  if (judgement.ok) return { proxy, target: judgement.target };
  throw proxyFailure(judgement.dependsOnLookup ? "dns" : "guard");
}

export const proxyFailure = (problem: ProxyProblem, cause?: unknown) =>
  new FailureError("proxy", cause, problem);
