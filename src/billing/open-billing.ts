import type { Deps } from "./deps.ts";
import { openPaddle, type PaddleConfig } from "./providers/paddle.ts";
import { openSandbox } from "./providers/sandbox.ts";

export type { PaddleConfig };

/** Paddle where its keys are given, the built-in sandbox otherwise. */
export function openBilling({
  paddle,
  sandboxSecret,
  ...rest
}: Omit<Deps, "provider"> & { paddle: PaddleConfig | undefined; sandboxSecret: string }): Deps {
  return { ...rest, provider: paddle ? openPaddle(paddle) : openSandbox(sandboxSecret) };
}
