import { type Exit, type ExitProblem, exitUrl } from "../exit.ts";
import { FailureError } from "../failure.ts";
import type { Guard, Target } from "../guard.ts";

/** An exit and the only addresses that may be dialed for it. */
export type Via = {
  exit: Exit;
  target: Target;
  /** Keeps a request from the connections of others. */
  nonce?: string;
};

/** Judges the exit's own address; rejects with a FailureError if it may not be dialed. */
export async function openVia(guard: Guard, exit: Exit): Promise<Via> {
  const judgement = await guard.judge(exitUrl(exit), "page");
  if (judgement.ok) return { exit, target: judgement.target };
  throw exitFailure(judgement.dependsOnLookup ? "dns" : "guard");
}

export const exitFailure = (problem: ExitProblem, cause?: unknown) =>
  new FailureError("exit", cause, problem);
